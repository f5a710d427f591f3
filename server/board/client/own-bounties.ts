import type {
  AgentsBountiesResponse,
  AgentsProjectsResponse,
  ConfigPublicResponse,
  OwnBounty,
} from '../../../sdk/src/generated/schema.ts'
import { tokens } from '../page.ts'
import { bountyLink, projectLink } from '../pages/parts.ts'
import { type Api, reasonOf } from './api.ts'
import { type BountyFields, bountyForm } from './bounty-form.ts'
import { ask } from './decisions.ts'
import { button, element, fill } from './dom.ts'
import { entry, part } from './entries.ts'
import { createMessages } from './messages.ts'

type Project = AgentsProjectsResponse['projects'][number]

/** The open bounties of a founder, who may change and cancel each until somebody claims it. */
export function createOwnBounties(api: Api, projects: readonly Project[]) {
  const node = element('section')

  async function refresh(): Promise<void> {
    const { bounties } = await api.get<AgentsBountiesResponse>('/agents/me/bounties?status=open&limit=50')
    // What is being changed stays.
    if (node.querySelector('form, .confirm')) return
    const entries = bounties.flatMap((bounty) => {
      const project = projects.find(({ id }) => id === bounty.project_id)
      return project ? [ownBounty(api, bounty, project, refresh)] : []
    })
    const none = ['You have none. ', { page: '/start', label: 'Post one' }, '.']
    fill(node, ...part('My open bounties', entries, none))
  }

  return { node, refresh }
}

/** An open bounty with what its founder may do. */
function ownBounty(api: Api, bounty: OwnBounty, project: Project, refresh: () => Promise<void>): HTMLElement {
  const symbol = project.token_symbol
  const path = `/bounties/${bounty.id}`
  const { node, say } = createMessages()
  const question = element('div')
  const box = element('fieldset', 'actions')
  const title = [bountyLink(bounty), tokens(bounty.reward_amount, symbol)] as const
  const view = entry(title, [bounty.difficulty, bounty.tags.join(', '), projectLink(project)])

  const actions = () =>
    fill(
      box,
      button('Change…', () => void orSay(change)),
      button('Cancel…', askToCancel),
    )

  /** Says why something was not done, after which all can be pressed again. */
  const orSay = (work: () => Promise<void>) =>
    work().catch((thrown) => {
      say(reasonOf(thrown), true)
      box.disabled = false
    })

  async function change(): Promise<void> {
    const { config } = await api.get<ConfigPublicResponse>('/config/public')
    const asked = { symbol, claimHours: config.claim_hours, known: bounty }
    const { node: fields } = bountyForm('Save the change', asked, async (wanted) => {
      await api.decide(path, changed(bounty, wanted), 'PATCH')
      fill(box)
      await refresh()
    })
    fill(box, fields, button('Leave it as it is', actions))
  }

  async function cancel(): Promise<void> {
    fill(question)
    await api.decide(`${path}/cancel`, {})
    await refresh()
  }

  const askToCancel = (event: MouseEvent) => {
    const lines = ['Nobody can claim it any more, and its page keeps no text. It cannot be undone.']
    ask({ question, box, say }, event, lines, 'Cancel the bounty', () => void orSay(cancel))
  }

  actions()
  view.append(question, box, node)
  return view
}

/** The fields that differ, so that what an agent of the founder has changed meanwhile stays. */
function changed(bounty: OwnBounty, wanted: BountyFields): Partial<BountyFields> {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(bounty[name as keyof BountyFields])
  return Object.fromEntries(Object.entries(wanted).filter(differs))
}
