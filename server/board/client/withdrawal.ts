import type {
  Balance,
  Withdrawal,
  WithdrawalsCreateRequest,
  WithdrawalsCreateResponse,
} from '../../../sdk/src/generated/schema.ts'
import type { Inline } from '../page.ts'
import { eth } from '../pages/parts.ts'
import { type Api, attempt, Failure, reasonOf } from './api.ts'
import { ask } from './decisions.ts'
import { button, element, fill } from './dom.ts'
import { form, input } from './form.ts'
import { warnLeavers } from './key.ts'
import type { Messages } from './messages.ts'

const path = '/agents/me/withdrawals'
const pollMs = 1000

/** Asks where the tokens of a managed wallet are to go, asks once more, and follows the withdrawal to its end. */
export function createWithdrawal(
  api: Api,
  balance: Balance,
  { say, node: said }: Messages,
  refresh: () => Promise<void>,
): HTMLElement {
  const { project_id, token_symbol: symbol, withdrawable } = balance
  const question = element('div')
  const box = element('fieldset', 'actions')
  const offer = () => fill(box, button('Withdraw…', open))

  function open(): void {
    const amount = input({ value: 'all' })
    const to = input({ pattern: '0x[0-9a-fA-F]{40}', placeholder: '0x…', spellcheck: 'false' })
    const as = element(
      'select',
      {},
      element('option', { value: 'tokens' }, symbol),
      element('option', { value: 'eth' }, 'ETH, which the curve pays for it'),
    )
    const made = form(
      'Withdraw…',
      [
        [`How many of ${withdrawable} ${symbol}, or all`, amount],
        ['Address that receives it', to],
        ['As', as],
      ],
      async () => {
        const request = {
          project_id,
          amount: amount.value.trim(),
          to: to.value.trim(),
          as: as.value as Withdrawal['as'],
        }
        const target = made.querySelector('button')
        ask(
          { question, box, say },
          { target },
          termsOf(request, symbol),
          'Withdraw now',
          () => void send(request),
        )
      },
    )
    fill(box, made, button('Leave it there', offer))
    amount.focus()
  }

  async function send(request: WithdrawalsCreateRequest): Promise<void> {
    fill(question)
    say('Sending… this goes on if you leave.')
    said.focus()
    const over = warnLeavers()
    try {
      const { withdrawal } = await api.decide<WithdrawalsCreateResponse>(path, request)
      const { error, eth_paid, tx_hash } = await ended(api, withdrawal)
      offer()
      const paid: Inline = eth_paid ? ['The curve paid ', eth(eth_paid), '. '] : ''
      if (error) say(['Not withdrawn: ', error.message], true)
      else say(['Withdrawn. ', paid, 'Transaction ', { code: tx_hash ?? 'unknown' }, '.'])
    } catch (thrown) {
      say(reasonOf(thrown), true)
    }
    over()
    box.disabled = false
    await refresh()
  }

  offer()
  return element('div', 'panel', question, box)
}

/** What is asked before anything is signed. */
function termsOf({ amount, to, as }: WithdrawalsCreateRequest, symbol: string): Inline[] {
  const what = `${amount} ${symbol}`
  const whereTo: Inline = [{ code: to }, '? It cannot be undone.']
  return as === 'tokens'
    ? [['Send ', what, ' to ', whereTo]]
    : [['Sell ', what, ' to the curve and send the ETH to ', whereTo], 'At most 1 % less than it pays now.']
}

/** Reads a withdrawal until nothing about it is open. */
async function ended(api: Api, withdrawal: Withdrawal): Promise<Withdrawal> {
  if (withdrawal.status === 'confirmed' || withdrawal.status === 'failed') return withdrawal
  await new Promise((resolve) => setTimeout(resolve, pollMs))
  const read = await attempt(api.get<WithdrawalsCreateResponse>(`${path}/${withdrawal.id}`))
  if (!(read instanceof Failure)) return ended(api, read.withdrawal)
  if (!read.retryable) throw read
  return ended(api, withdrawal)
}
