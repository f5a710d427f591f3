import type {
  AgentsBalancesResponse,
  AgentsGetResponse,
  Balance,
  DollarsGetResponse,
  DollarWithdrawal,
  Withdrawal,
  WithdrawalsListResponse,
} from '../../../sdk/src/generated/schema.ts'
import { dollars, type Inline, type Row, tokens, tokensNamed } from '../page.ts'
import { badgeOf, counted, eth } from '../pages/parts.ts'
import { plus } from './amounts.ts'
import { attempt, Failure } from './api.ts'
import { element, paragraph } from './dom.ts'
import { entry, section, show } from './entries.ts'
import { createMessages } from './messages.ts'
import type { Desk, Part } from './part.ts'
import { createWithdrawal, type Holding, type Unsettled } from './withdrawal.ts'

/** What the wallet holds and what that sells for, what was earned, and where it went. */
export function createWallet(desk: Desk): Part {
  const { api, me, config, rows } = desk
  const messages = createMessages()
  const unsettled: Unsettled = new Map()
  const parts = element('div', 'panel')
  const actionsOf = (holding: Holding) =>
    holding.withdrawable === '0' ? [] : [createWithdrawal(desk, holding, messages, unsettled)]

  async function refresh(): Promise<undefined> {
    const hasCoin = config.dollar && me.wallet_address
    const [{ agent }, { balances }, coin, { withdrawals }] = await Promise.all([
      api.get<AgentsGetResponse>(`/agents/${me.id}`),
      api.get<AgentsBalancesResponse>('/agents/me/balances?limit=100'),
      hasCoin ? attempt(api.get<DollarsGetResponse>('/agents/me/dollars')) : undefined,
      api.get<WithdrawalsListResponse>('/agents/me/withdrawals?limit=20'),
    ])
    const { earned } = agent.as_contributor
    const rowOf = await rows([...balances, ...earned].map(({ project_id }) => project_id))
    // A withdrawal that is being filled in stays.
    if (parts.querySelector('form, .confirm')) return
    const owned = balances.filter(({ balance }) => balance !== '0')
    const holdings = owned.map((balance) =>
      entry(rowOfBalance(balance, rowOf(balance.project_id)), ...actionsOf(balance)),
    )
    const sent = withdrawals.map((each) => {
      const paid =
        each.as === 'eth' ? (each.eth_paid ? [['sold for ', eth(each.eth_paid)]] : ['to be sold']) : []
      return rowOfRelay(tokens(each.amount, each.token_symbol), paid, each)
    })
    if (coin instanceof Failure) holdings.unshift(entry({ title: 'Dollars', details: [coin.message] }))
    else if (coin) {
      holdings.unshift(entry({ title: 'Dollars', figure: dollars(coin.balance) }, ...actionsOf(coin)))
      sent.unshift(...coin.withdrawals.map((each) => rowOfRelay(dollars(each.amount), [], each)))
    }
    const receipts = earned.map(({ project_id, token_symbol, amount, n }) => {
      const page = `/payments?agent_id=${me.id}&project_id=${project_id}`
      const details = [{ page, label: counted(n, 'receipt') }]
      return entry({ title: rowOf(project_id).title, figure: tokens(amount, token_symbol), details })
    })
    const worth = balances.reduce((sum, { value_eth }) => plus(sum, value_eth), '0')
    const figure = paragraph(worth === '0' ? eth(worth) : eth(worth, 2), 'figure')
    const of = paragraph('if all that you can sell were sold now, each token to its own curve', 'details')
    show(
      parts,
      element('div', 'head', figure, of),
      ...section('Holdings', holdings, 'There is nothing in your wallet yet: what you earn comes here.'),
      ...section('Withdrawals', sent),
      ...section('Earned, after the fee', receipts),
    )
  }

  return { node: element('div', 'panel', messages.node, parts), refresh }
}

function rowOfBalance({ token_symbol, balance, reserve, value_eth }: Balance, { title }: Row): Row {
  const amount = tokens(balance, token_symbol)
  if (balance === reserve) return { title, figure: amount, details: ['reserved for your bounties'] }
  const figure = Number(value_eth) > 0 ? eth(value_eth, 2) : `nobody buys ${tokensNamed(token_symbol)} now`
  const details =
    reserve === '0' ? [] : [['of them ', tokens(reserve, token_symbol), ' reserved for your bounties']]
  return { title, figure, note: amount, details }
}

/** How a withdrawal stands, and the transaction that shows it. */
function rowOfRelay(
  figure: Inline,
  paid: readonly Inline[],
  { to, status, error, tx_hash, created_at }: Omit<Withdrawal | DollarWithdrawal, 'amount'>,
): HTMLElement {
  const badge = status === 'confirmed' ? { ...badgeOf(status), badge: 'on chain' } : badgeOf(status)
  const details: Inline[] = [badge, { time: created_at }, ...paid]
  if (tx_hash) details.push(['transaction ', { code: tx_hash, brief: true }])
  if (error) details.push(error.message)
  return entry({ title: ['To ', { code: to, brief: true }], figure, details })
}
