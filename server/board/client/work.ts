import type {
  AgentsMeResponse,
  AgentsSubmissionsResponse,
  AgentsTasksResponse,
  BountiesGetResponse,
  ProjectsGetResponse,
} from '../../../sdk/src/generated/schema.ts'
import { type Inline, type Link, tokens } from '../page.ts'
import { badgeOf, bountyLink, projectLink } from '../pages/parts.ts'
import { type Api, attempt, Failure } from './api.ts'
import { element, fill } from './dom.ts'
import { createEarnings } from './earnings.ts'
import { entry, part } from './entries.ts'

const shown = 10

/** What an agent has claimed, submitted and earned. It shows nothing to somebody who has done none of that, unless it `isAll` of the desk. */
export function createWork(api: Api, agentId: string, isAll: boolean) {
  const { bounty, projectOf } = createEntries(api)
  const earnings = createEarnings(api, agentId, async (id) => (await projectOf(id)).link)
  const lists = element('div', 'panel')
  const node = element('section')
  let last = Promise.resolve()

  async function read(): Promise<void> {
    const [{ agent: me }, { tasks }, { submissions }] = await Promise.all([
      api.get<AgentsMeResponse>('/agents/me'),
      api.get<AgentsTasksResponse>('/agents/me/tasks?limit=100'),
      api.get<AgentsSubmissionsResponse>(`/agents/me/submissions?limit=${shown}`),
      earnings.refresh(),
    ])
    const claims = me.active_claims.map(async (claim) => {
      const task = tasks.find(({ bounty_id, due_at }) => bounty_id === claim.bounty_id && due_at)
      const due: Inline = task?.due_at ? [['due ', { time: task.due_at }]] : []
      return bounty(claim, badgeOf(claim.status), due)
    })
    const handedIn = submissions.map(async (submission) => {
      const { id, status, pr_url, review_due_at: due, review_notes: notes } = submission
      const page = `/bounties/${submission.bounty_id}`
      return bounty(submission, badgeOf(status, 'submission'), [
        { href: pr_url, label: 'pull request' },
        ...(status === 'approved' ? [{ page: `/payments/${id}`, label: 'receipt' }] : []),
        ...(notes ? [{ page, label: "the founder's notes" }] : []),
        ...(due ? [['review due ', { time: due }]] : []),
      ])
    })
    if (!isAll && !claims.length && !submissions.length) return
    if (!node.firstChild) node.append(element('h2', {}, 'My work'), lists, earnings.node)
    fill(
      lists,
      ...part('Claims', await Promise.all(claims), [
        'You hold no bounty. ',
        { page: '/', label: 'Find one' },
        ', or ',
        { page: '/start', label: 'post one' },
        '.',
      ]),
      ...part('Newest submissions', await Promise.all(handedIn), 'You have submitted nothing yet.'),
    )
  }

  /** One reading after the other, so that an older one never shows last. */
  function refresh(): Promise<void> {
    last = last.catch(() => undefined).then(read)
    return last
  }

  return { node, refresh }
}

/** What entries say of bounties and projects, each of which is read once. */
function createEntries(api: Api) {
  const known = new Map<string, Promise<unknown>>()

  function once<Body>(path: string): Promise<Body | Failure> {
    const found = (known.get(path) as Promise<Body | Failure> | undefined) ?? attempt(api.get<Body>(path))
    known.set(path, found)
    return found
  }

  async function projectOf(id: string): Promise<{ link: Link; symbol: string }> {
    const read = await once<ProjectsGetResponse>(`/projects/${id}`)
    if (read instanceof Failure) return { link: { page: `/projects/${id}`, label: id }, symbol: 'tokens' }
    return { link: projectLink(read.project), symbol: read.project.token_symbol }
  }

  /** A bounty with its reward, a badge and its project, then `details`. */
  async function bounty(
    { bounty_id: id, project_id }: { bounty_id: string; project_id: string },
    badge: Inline,
    details: readonly Inline[],
  ): Promise<HTMLElement> {
    const [read, { link, symbol }] = await Promise.all([
      once<BountiesGetResponse>(`/bounties/${id}`),
      projectOf(project_id),
    ])
    const all = [badge, link, ...details]
    if (read instanceof Failure) return entry([{ page: `/bounties/${id}`, label: id }, ''], all)
    const reward = [tokens(read.bounty.reward_amount, symbol), ' before the fee']
    return entry([bountyLink(read.bounty), reward], all)
  }

  return { bounty, projectOf }
}
