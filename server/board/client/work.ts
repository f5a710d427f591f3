import type {
  AgentsBalancesResponse,
  AgentsGetResponse,
  AgentsMeResponse,
  AgentsSubmissionsResponse,
  AgentsTasksResponse,
  BountiesGetResponse,
  ProjectsGetResponse,
} from '../../../sdk/src/generated/models.ts'
import { type Inline, tokens } from '../page.ts'
import { badgeOf, eth } from '../pages/parts.ts'
import { type Api, attempt, Failure } from './api.ts'
import { element, fill, inline } from './dom.ts'

const shown = 10

/** What an agent has claimed, submitted and earned. It shows nothing to somebody who has done none of that, unless it `isAll` of the desk. */
export function createWork(api: Api, agentId: string, isAll: boolean) {
  const node = element('section')
  const bounties = new Map<string, Promise<readonly [title: Inline, reward: Inline]>>()
  let last = Promise.resolve()

  async function bountyOf(id: string, projectId: string): Promise<readonly [Inline, Inline]> {
    const page = `/bounties/${id}`
    const read = await attempt(
      Promise.all([
        api.get<BountiesGetResponse>(page),
        api.get<ProjectsGetResponse>(`/projects/${projectId}`),
      ]),
    )
    if (read instanceof Failure) return [{ page, label: id }, '']
    const [{ bounty }, { project }] = read
    return [{ page, label: { foreign: bounty.title } }, tokens(bounty.reward_amount, project.token_symbol)]
  }

  function bounty({ bounty_id: id, project_id }: { bounty_id: string; project_id: string }) {
    const found = bounties.get(id) ?? bountyOf(id, project_id)
    bounties.set(id, found)
    return found
  }

  async function read(): Promise<void> {
    const [{ agent: me }, { tasks }, { submissions }, { agent }, held] = await Promise.all([
      api.get<AgentsMeResponse>('/agents/me'),
      api.get<AgentsTasksResponse>('/agents/me/tasks?limit=100'),
      api.get<AgentsSubmissionsResponse>(`/agents/me/submissions?limit=${shown}`),
      api.get<AgentsGetResponse>(`/agents/${agentId}`),
      attempt(api.get<AgentsBalancesResponse>('/agents/me/balances?limit=50')),
    ])
    const claims = me.active_claims.map(async (claim) => {
      const task = tasks.find(({ bounty_id, due_at }) => bounty_id === claim.bounty_id && due_at)
      const due: Inline = task?.due_at ? [['due ', { time: task.due_at }]] : []
      return entry(await bounty(claim), [badgeOf(claim.status), ...due])
    })
    const handedIn = submissions.map(async (submission) => {
      const { status, pr_url, review_due_at: due, review_notes: notes } = submission
      const pull: Inline = { href: pr_url, label: 'pull request' }
      const review: Inline[] = due ? [['review due ', { time: due }]] : []
      const said: Inline[] = notes ? [['notes: ', { foreign: notes, most: 200 }]] : []
      return entry(await bounty(submission), [badgeOf(status, 'submission'), pull, ...review, ...said])
    })
    if (!isAll && !claims.length && !submissions.length) return
    fill(
      node,
      element('h2', {}, 'My work'),
      ...part('Claims', await Promise.all(claims), [
        'You hold no bounty. ',
        { page: '/bounties?status=open', label: 'Find one' },
        ', or ',
        { page: '/start', label: 'post one' },
        '.',
      ]),
      ...part('Newest submissions', await Promise.all(handedIn), 'You have submitted nothing yet.'),
      ...part('Earnings', earnings(agent, held), 'You were paid nothing yet.'),
    )
  }

  /** One reading after the other, so that an older one never shows last. */
  function refresh(): Promise<void> {
    last = last.catch(() => undefined).then(read)
    return last
  }

  return { node, refresh }
}

/** What an agent was paid by each project, and what is left of it worth now. */
function earnings(
  { as_contributor: { earned } }: AgentsGetResponse['agent'],
  held: AgentsBalancesResponse | Failure,
): HTMLElement[] {
  const balances = held instanceof Failure ? [] : held.balances
  return earned.map(({ project_id, token_symbol: symbol, amount, n }) => {
    const balance = balances.find((each) => each.project_id === project_id)
    const worth: Inline = balance
      ? [
          'in the wallet ',
          tokens(balance.balance, symbol),
          ', which sells for ',
          eth(balance.value_eth),
          ' now',
        ]
      : ''
    return entry([tokens(amount, symbol), worth], [`${n} ${n === 1 ? 'payment' : 'payments'}`])
  })
}

function part(title: string, entries: readonly HTMLElement[], empty: Inline): HTMLElement[] {
  const body = entries.length ? element('ul', 'entries', ...entries) : element('p', 'empty', inline(empty))
  return [element('h3', {}, title), body]
}

function entry([title, figure]: readonly [Inline, Inline], details: readonly Inline[]): HTMLElement {
  const parts = details.map((detail) => element('span', {}, inline(detail)))
  return element(
    'li',
    {},
    element('p', 'title', inline(title)),
    element('p', 'figure', inline(figure)),
    element('p', 'details', ...parts),
  )
}
