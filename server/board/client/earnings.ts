import type { AgentsBalancesResponse, AgentsGetResponse, Balance } from '../../../sdk/src/generated/schema.ts'
import { type Inline, type Link, tokens } from '../page.ts'
import { eth } from '../pages/parts.ts'
import { type Api, attempt, Failure } from './api.ts'
import { element, fill } from './dom.ts'
import { entry, part } from './entries.ts'
import { createMessages } from './messages.ts'
import { createWithdrawal } from './withdrawal.ts'

/** What each project paid, what is left of it and what that sells for; what a managed wallet holds can be withdrawn. */
export function createEarnings(api: Api, agentId: string, linkOf: (projectId: string) => Promise<Link>) {
  const entries = element('div', 'panel')
  const messages = createMessages()
  const node = element('div', 'panel', entries, messages.node)

  async function refresh(): Promise<void> {
    const [{ agent }, held] = await Promise.all([
      api.get<AgentsGetResponse>(`/agents/${agentId}`),
      attempt(api.get<AgentsBalancesResponse>('/agents/me/balances?limit=50')),
    ])
    // A withdrawal that is being filled in, or sent, stays.
    if (node.querySelector('form')) return
    const balances = held instanceof Failure ? [] : held.balances
    const all = agent.as_contributor.earned.map(async ({ project_id, token_symbol, amount, n }) => {
      const page = `/payments?agent_id=${agentId}&project_id=${project_id}`
      const receipts: Link = { page, label: n === 1 ? '1 receipt' : `${n} receipts` }
      const title = [await linkOf(project_id), [tokens(amount, token_symbol), ' after the fee']] as const
      const balance = balanceOf(balances, project_id)
      const view = entry(title, [receipts, balance ? worthOf(balance) : ''])
      if (balance && balance.withdrawable !== '0')
        view.append(createWithdrawal(api, balance, messages, refresh))
      return view
    })
    fill(entries, ...part('Earnings', await Promise.all(all), 'You were paid nothing yet.'))
  }

  return { node, refresh }
}

/** Of two wallets, the one that the service can withdraw from. */
function balanceOf(balances: readonly Balance[], projectId: string): Balance | undefined {
  const own = balances.filter(({ project_id }) => project_id === projectId)
  return own.find(({ withdrawable }) => withdrawable !== '0') ?? own[0]
}

const worthOf = ({ balance, token_symbol, value_eth }: Balance): Inline => [
  'in the wallet ',
  tokens(balance, token_symbol),
  ', sells for ',
  eth(value_eth),
  ' now',
]
