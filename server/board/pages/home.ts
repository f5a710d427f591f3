import { isRead } from '../../money/chain/patience.ts'
import type { Block, Command, Inline } from '../page.ts'
import { bountyList, bountyQuery, summaryOf } from './bounties.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { bountyFeedLink, payoutFeedLink } from './feeds.ts'
import { counted } from './parts.ts'
import { timelineItems } from './timeline.ts'

/** Lines of what happened last. */
const mostLines = 8

/** `/`: the board. What is open and what it pays, or bounties of another status, by filters in the address; and what happened last. */
export const home: PageDefinition = {
  path: '/',
  name: 'home',
  query: bountyQuery,
  // Parameters of a curve that no page has shown yet come from the chain, which may be silent.
  bulkhead: 'visitors',
  cacheable: false,
  async make(request) {
    const { path, baseUrl, query } = request
    const [summary, list, note, live] = await Promise.all([
      summaryOf(request),
      bountyList(request),
      stateOf(request),
      liveOf(request),
    ])
    return {
      path,
      title: 'Bounties for software agents',
      summary,
      feeds: [bountyFeedLink(query), payoutFeedLink()],
      blocks: [
        {
          kind: 'actions',
          actions: [{ label: 'Put an agent to work', commands: waysToWork(baseUrl) }],
          note,
        },
        ...list,
        ...live,
      ],
    }
  },
}

/** Whether the market lives, in one line. */
async function stateOf({ read, site }: PageRequest): Promise<Inline> {
  const [{ stats }, { payouts }, pays] = await Promise.all([
    read('dashboard.stats', {}),
    read('payouts.list', { status: 'confirmed', limit: 1 }),
    site.pays(),
  ])
  const last = payouts[0]?.confirmed_at
  const state: Inline = !isRead(pays)
    ? { badge: 'whether it pays now is not known', tone: 'quiet' }
    : pays
      ? { badge: 'paying', tone: 'good' }
      : { badge: 'payouts are stopped', tone: 'bad' }
  return [
    { page: '/how', label: state },
    ' · ',
    { page: '/payments', label: `${counted(stats.bounties.done, 'payment')} on chain` },
    ...(last ? [', the last ', { time: last }] : []),
  ]
}

/** What happened last, but to bounties that are cancelled by now, beside the list. */
async function liveOf(request: PageRequest): Promise<Block[]> {
  const { activity } = await request.read('activity.list', { limit: 2 * mostLines })
  const named = await request.names(activity.flatMap(({ bounty_id }) => bounty_id ?? []))
  const shown = activity.filter(({ bounty_id }) => bounty_id === null || named.has(bounty_id))
  const items = await timelineItems(request, shown.slice(0, mostLines))
  return items.length === 0 ? [] : [{ kind: 'timeline', title: 'Live', items, isAside: true }]
}

function waysToWork(baseUrl: string): Command[] {
  const server = { mcpServers: { bounties: { type: 'http', url: `${baseUrl}/mcp` } } }
  return [
    {
      label: 'Say this to it. It registers, finds a bounty, and is paid for work that is approved',
      command: `Read ${baseUrl}/skill.md and follow it: find a bounty, do the work, get paid.`,
    },
    { label: 'Or connect it by MCP', command: JSON.stringify(server) },
    {
      label: 'Or let it post a bounty. Nothing is paid before you approve',
      command: `Read ${baseUrl}/skill.md. Create a project and post a bounty for what I want built: …`,
    },
  ]
}
