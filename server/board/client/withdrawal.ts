import type {
  ProjectsMarketResponse,
  Withdrawal,
  WithdrawalsGetResponse,
} from '../../../sdk/src/generated/schema.ts'
import { dollars, grouped, type Inline, tokens, tokensNamed } from '../page.ts'
import { eth } from '../pages/parts.ts'
import { createActions } from './actions.ts'
import { cut, least } from './amounts.ts'
import { type Api, attempt, Failure } from './api.ts'
import { button, element, fill } from './dom.ts'
import { form, input } from './form.ts'
import type { Messages } from './messages.ts'
import type { Desk } from './part.ts'

/** What can be withdrawn: tokens of a project, or dollars if there is none. */
export interface Holding {
  withdrawable: string
  project_id?: string
  token_symbol?: string
}

const path = '/agents/me/withdrawals'
const pollMs = 1000
/** What a sale may pay less than its quote, in basis points. */
const slackBps = 100

/** What is asked before anything is signed, and the request for it. */
interface Terms {
  lines: Inline[]
  request: object
}

/**
 * Terms by what was filled in, until it is known what came of them: asked again after a lost response, the request has to be the
 * same one, with the same Idempotency-Key, whatever the curve pays by then.
 */
export type Unsettled = Map<string, Terms>

/** Asks where what a managed wallet holds is to go, asks once more with the amounts, and follows the withdrawal to its end. */
export function createWithdrawal(
  { api, refresh }: Desk,
  holding: Holding,
  messages: Messages,
  unsettled: Unsettled,
): HTMLElement {
  const { withdrawable, project_id, token_symbol } = holding
  const symbol = token_symbol === undefined ? 'dollars' : tokensNamed(token_symbol)
  const { node, box, ask, send } = createActions('actions', messages)
  const offer = () => fill(box, button('Withdraw…', open))

  function open(): void {
    const amount = input({ value: 'all' })
    const to = input({ pattern: '0x[0-9a-fA-F]{40}', placeholder: '0x…', spellcheck: 'false' })
    const sale = element('option', { value: 'eth' }, 'ETH, which the curve pays for it')
    const as = element('select', {}, element('option', { value: 'tokens' }, symbol), sale)
    const fields = [
      [`How many of ${withdrawable} ${symbol}, or all`, amount],
      ['Address that receives it', to],
      ...(project_id ? ([['As', as]] as const) : []),
    ] as const
    const made = form('Withdraw…', fields, async () => {
      const wanted = {
        amount: amount.value.trim(),
        to: to.value.trim(),
        ...(project_id && { project_id, as: as.value }),
      }
      const is = JSON.stringify(wanted)
      const terms = unsettled.get(is) ?? (await termsOf(api, holding, wanted))
      const question = { lines: terms.lines, keep: 'Keep them', act: 'Withdraw now' }
      const target = made.querySelector('button')
      ask(
        question,
        { target },
        () => void send('Sending… this goes on if you leave.', () => withdraw(is, terms)),
      )
    })
    fill(box, made, button('Keep them', offer))
    amount.focus()
  }

  async function withdraw(is: string, terms: Terms): Promise<Inline> {
    unsettled.set(is, terms)
    const way = project_id ? path : '/agents/me/dollars/withdraw'
    const { withdrawal } = await api
      .decide<{ withdrawal: Withdrawal }>(way, terms.request)
      .catch((thrown) => {
        if (thrown instanceof Failure && !thrown.retryable) unsettled.delete(is)
        throw thrown
      })
    unsettled.delete(is)
    // Those of dollars are listed, and have no reading of their own.
    const { error, eth_paid, tx_hash } = project_id ? await ended(api, withdrawal) : withdrawal
    offer()
    await refresh()
    if (error) return ['Not withdrawn: ', error.message]
    const paid: Inline = eth_paid ? ['The curve paid ', eth(eth_paid), '. '] : ''
    const where: Inline = tx_hash
      ? ['Withdrawn. ', paid, 'Transaction ', { code: tx_hash }, '.']
      : 'It is on its way.'
    return [where, ' You find it again below.']
  }

  offer()
  return node
}

/** For a sale with the least that it must pay. */
async function termsOf(
  api: Api,
  { withdrawable, project_id, token_symbol }: Holding,
  wanted: { amount: string; to: string; as?: string },
): Promise<Terms> {
  const number = wanted.amount === 'all' ? withdrawable : wanted.amount
  if (/^\d+(\.\d+)?$/.test(number) && least(withdrawable, number) !== number) {
    const message = `You can withdraw ${withdrawable} at most.`
    throw new Failure({ code: 'insufficient_balance', message, retryable: false })
  }
  const whereTo: Inline = [' to ', { code: wanted.to }, '? It cannot be undone.']
  const of = (amount: string) => (token_symbol === undefined ? dollars(amount) : tokens(amount, token_symbol))
  if (wanted.as !== 'eth') return { lines: [['Send ', of(number), whereTo]], request: wanted }
  const { market } = await api.get<ProjectsMarketResponse>(`/projects/${project_id}/market?sell=${number}`)
  const { sellable, eth: worth } = market.quote
  const sold = wanted.amount === 'all' ? least(sellable, number) : number
  const min_eth = cut(worth, slackBps)
  const lines: Inline[] = [
    ['Sell ', of(sold), ' for ', eth(worth, 3), `, at least ${grouped(min_eth, 3)} ETH,`, whereTo],
  ]
  if (sold !== number) lines.push(['The curve takes no more of your ', of(number), ' now.'])
  return { lines, request: { ...wanted, min_eth } }
}

/** Reads a withdrawal until nothing about it is open. */
async function ended(api: Api, withdrawal: Withdrawal): Promise<Withdrawal> {
  if (withdrawal.status === 'confirmed' || withdrawal.status === 'failed') return withdrawal
  await new Promise((resolve) => setTimeout(resolve, pollMs))
  const read = await attempt(api.get<WithdrawalsGetResponse>(`${path}/${withdrawal.id}`))
  if (!(read instanceof Failure)) return ended(api, read.withdrawal)
  if (!read.retryable) throw read
  return ended(api, withdrawal)
}
