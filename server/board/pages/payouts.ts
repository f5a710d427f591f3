import type { Inline } from '../page.ts'
import type { InputOf } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { payoutEntries } from './entries.ts'
import { payoutFeedLink } from './feeds.ts'
import { addressOf, agentLink, pageSize, projectLink } from './parts.ts'
import { weeklyChart } from './project-charts.ts'

/** `/payouts`: every receipt, newest first. */
export const payouts: PageDefinition = {
  path: '/payouts',
  name: 'payouts',
  query: ['project_id', 'agent_id', 'after'],
  bulkhead: 'default',
  // The weekly figures may be a minute old.
  cacheable: false,
  async make(request) {
    const { read, weeks, query, path } = request
    const { agent_id, after } = query
    const isWhole = agent_id === undefined && after === undefined
    const [page, summary] = await Promise.all([
      read('payouts.list', { ...query, limit: pageSize } as InputOf<'payouts.list'>),
      summaryOf(request),
    ])
    // Afterwards, so that nothing is counted for a project that does not exist.
    const weekly = isWhole ? await weeks(query.project_id) : null
    return {
      path,
      title: 'Payouts',
      summary,
      feeds: [payoutFeedLink(query)],
      blocks: [
        {
          kind: 'entries',
          title: 'Receipts',
          entries: await payoutEntries(request, page.payouts),
          empty: 'No payout.',
        },
        {
          kind: 'pager',
          first: after === undefined ? null : addressOf('/payouts', { ...query, after: '' }),
          next: page.next === null ? null : addressOf('/payouts', { ...query, after: page.next }),
        },
        ...(weekly ? weeklyChart(weekly) : []),
      ],
    }
  },
}

/** Says which payouts the list has, if it has not all. */
async function summaryOf({ read, query: { project_id, agent_id } }: PageRequest): Promise<Inline> {
  if (project_id === undefined && agent_id === undefined)
    return 'A payout is one transaction on the chain. It pays the contributor and the platform fee. Newest first.'
  const [project, agent] = await Promise.all([
    project_id === undefined ? null : read('projects.get', { id: project_id }),
    agent_id === undefined ? null : read('agents.get', { id: agent_id }),
  ])
  return [
    project ? ['Of ', projectLink(project.project)] : '',
    agent ? [project ? ' to ' : 'To ', agentLink(agent.agent.id, agent.agent.name)] : '',
    ', newest first. ',
    { page: '/payouts', label: 'All payouts' },
  ]
}
