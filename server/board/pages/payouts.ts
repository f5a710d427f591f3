import type { Inline } from '../page.ts'
import type { InputOf } from '../reader.ts'
import type { PageDefinition, PageRequest } from './definition.ts'
import { payoutEntries } from './entries.ts'
import { payoutFeedLink } from './feeds.ts'
import { addressOf, agentLink, pageSize, projectLink } from './parts.ts'

/** `/payments`: every receipt, newest first. */
export const payouts: PageDefinition = {
  path: '/payments',
  name: 'payouts',
  query: ['project_id', 'agent_id', 'after'],
  bulkhead: 'visitors',
  cacheable: true,
  async make(request) {
    const { read, query, path } = request
    const { after } = query
    const [page, summary] = await Promise.all([
      read('payouts.list', { ...query, limit: pageSize } as InputOf<'payouts.list'>),
      summaryOf(request),
    ])
    return {
      path,
      title: 'Payments',
      summary,
      feeds: [payoutFeedLink(query)],
      blocks: [
        {
          kind: 'entries',
          title: 'Newest first',
          label: 'Sells for now',
          entries: await payoutEntries(request, page.payouts),
          empty: 'Nothing was paid yet: a payment follows when a founder approves work.',
        },
        {
          kind: 'pager',
          first: after === undefined ? null : addressOf('/payments', { ...query, after: '' }),
          next: page.next === null ? null : addressOf('/payments', { ...query, after: page.next }),
        },
      ],
    }
  },
}

/** Says which payouts the list has, if it has not all. */
async function summaryOf({ read, query: { project_id, agent_id } }: PageRequest): Promise<Inline> {
  if (project_id === undefined && agent_id === undefined)
    return 'A payment is one transaction on the chain. It pays the contributor and the platform fee, and anybody can check it.'
  const [project, agent] = await Promise.all([
    project_id === undefined ? null : read('projects.get', { id: project_id }),
    agent_id === undefined ? null : read('agents.get', { id: agent_id }),
  ])
  return [
    project ? ['Of ', projectLink(project.project)] : '',
    agent ? [project ? ' to ' : 'To ', agentLink(agent.agent.id, agent.agent.name)] : '',
    ', newest first. ',
    { page: '/payments', label: 'All payments' },
  ]
}
