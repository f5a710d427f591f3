import type {
  AgentsMeResponse,
  AgentsSubmissionsResponse,
  AgentsTasksResponse,
} from '../../../sdk/src/generated/schema.ts'
import type { Inline } from '../page.ts'
import { badgeOf } from '../pages/parts.ts'
import { element } from './dom.ts'
import { entry, section, show } from './entries.ts'
import type { Desk, Part } from './part.ts'

/** What an agent has claimed, with the deadline of each, and what became of what it submitted. */
export function createWork({ api, rows }: Desk): Part {
  const node = element('div', 'panel')

  async function refresh(): Promise<number> {
    const [{ agent }, { tasks }, { submissions }] = await Promise.all([
      api.get<AgentsMeResponse>('/agents/me'),
      api.get<AgentsTasksResponse>('/agents/me/tasks?limit=100'),
      api.get<AgentsSubmissionsResponse>('/agents/me/submissions?limit=20'),
    ])
    const claims = agent.active_claims
    const rowOf = await rows([...claims, ...submissions].map(({ bounty_id }) => bounty_id))
    const held = claims.map(({ bounty_id }) => {
      const row = rowOf(bounty_id)
      const { details = [], due = [] } = row
      const waits = tasks.some((task) => task.bounty_id === bounty_id)
      const act: Inline[] = waits ? [{ page: `#inbox/${bounty_id}`, label: 'What to do' }] : []
      // The first one says who works on it.
      return entry({ ...row, details: [...details, ...due.slice(1), ...act] })
    })
    const ended = submissions.filter(({ status }) => status !== 'pending' && status !== 'approving')
    const reviewed = ended.map(({ id, bounty_id, status, pr_url, review_notes: notes }) => {
      const row = rowOf(bounty_id)
      const more: Inline[] = [{ href: pr_url, label: 'pull request' }]
      if (status === 'approved') more.push({ page: `/payments/${id}`, label: 'receipt' })
      if (notes) more.push({ page: `/bounties/${bounty_id}`, label: "the founder's notes" })
      return entry({
        ...row,
        details: [badgeOf(status, 'submission'), ...(row.details ?? []).slice(1, 2), ...more],
      })
    })
    const none: Inline = ['You hold no bounty. ', { page: '/', label: 'Find one' }, '.']
    show(node, ...section('Under way', held, none), ...section('Reviewed', reviewed))
    return held.length
  }

  return { node, refresh }
}
