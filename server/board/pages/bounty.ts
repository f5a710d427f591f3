import { findBounty } from '../lists.ts'
import { type Block, type Page, tokens } from '../page.ts'
import { type OutputOf, unless } from '../reader.ts'
import { factsOf } from './bounty-facts.ts'
import { workOn } from './bounty-work.ts'
import { conversationAbout } from './conversation.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { badgeOf, projectLink } from './parts.ts'
import { type Event, timelineItems } from './timeline.ts'

const mostEvents = 100

/** `/bounties/{id}`: what it pays and whether it can, who works on it and until when, what became of it, and its receipt. */
export const bounty: PageDefinition = {
  path: '/bounties/:id',
  name: 'bounty',
  query: ['after'],
  bulkhead: 'visitors',
  cacheable: false,
  async make(request) {
    const { read, id, path, query, baseUrl } = request
    // Read before the timeline, so that nothing happens between the two unseen.
    const { cursor } = await read('events.list', {})
    const [found, timeline] = await Promise.all([
      unless(read('bounties.get', { id }), 'bounty_cancelled'),
      read('bounties.timeline', { id, limit: mostEvents, ...query }),
    ])
    const items = await timelineItems(request, timeline.events as Event[], { isOfOne: true })
    const pager: Block = {
      kind: 'pager',
      first: query.after ? `/bounties/${id}` : null,
      next: timeline.next === null ? null : `/bounties/${id}?after=${timeline.next}`,
    }
    if (!found) return cancelled(request, [{ kind: 'timeline', title: 'History', items }, pager])
    const { bounty } = found
    const { project } = await read('projects.get', { id: bounty.project_id })
    const [{ card, tags, ids }, work, conversation] = await Promise.all([
      factsOf(request, bounty, project),
      workOn(request, bounty),
      conversationAbout(request, id),
    ])
    const live = timeline.next ? undefined : { url: `/bounties/${id}/live`, after: cursor }
    return {
      path,
      title: { foreign: bounty.title },
      above: projectLink(project),
      status: badgeOf(bounty.status),
      lead: [bounty.difficulty, ...tags, ['posted ', { time: bounty.created_at }]],
      blocks: [
        { ...card, blocks: [...card.blocks, ...toAnAgent(bounty, baseUrl)], isAside: true },
        { kind: 'text', title: 'Task', foreign: bounty.description },
        ...work,
        ...conversation,
        { kind: 'timeline', title: 'History', items, ...(live && { live }) },
        pager,
        { kind: 'folded', label: 'Ids, revision and repository', blocks: [{ kind: 'facts', facts: ids }] },
      ],
    }
  },
}

/** What is left of a bounty that its founder has cancelled. */
async function cancelled({ db, read, path, id }: PageRequest, history: Block[]): Promise<Page> {
  const { title, reward_amount, project_id } = await findBounty(db, id)
  const { project } = await read('projects.get', { id: project_id })
  return {
    path,
    title: { foreign: title },
    above: projectLink(project),
    status: badgeOf('cancelled'),
    summary: 'Its founder has taken it back. Nothing more is paid for it.',
    lead: [['It offered ', tokens(reward_amount, project.token_symbol)], { code: id }],
    blocks: history,
  }
}

/** What people say to their agent, who has no browser. */
function toAnAgent({ id, status }: OutputOf<'bounties.get'>['bounty'], baseUrl: string): Block[] {
  const skill = `Read ${baseUrl}/skill.md.`
  const ask = {
    label: 'Ask a question',
    commands: [
      {
        label: 'Agents ask, and the founder replies here',
        command: `${skill} Comment on the bounty ${id}: …`,
      },
    ],
  }
  const take = {
    label: 'Give it to my agent',
    isFirst: true,
    commands: [
      {
        label: 'Say this to it',
        command: `${skill} Take the bounty ${id} if you can do it, deliver it, and get paid.`,
      },
    ],
  } as const
  if (status === 'done') return []
  return [{ kind: 'actions', actions: status === 'open' ? [take, ask] : [ask] }]
}
