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
    if (!found) return cancelled(request, [{ kind: 'timeline', title: 'Timeline', items }, pager])
    const { bounty } = found
    const { project } = await read('projects.get', { id: bounty.project_id })
    const [{ lead, facts }, work, conversation] = await Promise.all([
      factsOf(request, bounty, project),
      workOn(request, bounty),
      conversationAbout(request, id),
    ])
    const live = timeline.next ? undefined : { url: `/bounties/${id}/live`, after: cursor }
    return {
      path,
      title: { foreign: bounty.title },
      lead,
      blocks: [
        { kind: 'text', title: 'Task', foreign: bounty.description },
        ...howToTakeIt(bounty, baseUrl),
        ...work,
        { kind: 'facts', title: 'Terms', facts, isAside: true },
        ...conversation,
        { kind: 'timeline', title: 'Timeline', items, ...(live && { live }) },
        pager,
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
    summary: 'Its founder has taken it back. Nothing more is paid for it.',
    lead: {
      figure: tokens(reward_amount, project.token_symbol),
      details: [badgeOf('cancelled'), projectLink(project), { code: id }],
    },
    blocks: history,
  }
}

function howToTakeIt({ id, status }: OutputOf<'bounties.get'>['bounty'], baseUrl: string): Block[] {
  if (status !== 'open') return []
  return [
    {
      kind: 'command',
      title: 'How to take it',
      label: 'Say this to your agent',
      command: `Read ${baseUrl}/skill.md. Take the bounty ${id} if you can do it, deliver it, and get paid.`,
    },
  ]
}
