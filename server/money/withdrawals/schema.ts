import { getAddress } from 'viem'
import { z } from 'zod'
import { address, count, id, timestamp } from '../../api/fields.ts'
import { toDecimal } from '../chain/units.ts'
import type { RelayRow } from '../relays/queries.ts'
import { presentRelay, relayFields } from '../relays/schema.ts'

const decimal = z
  .string()
  .regex(/^(0|[1-9]\d*)(\.\d+)?$/)
  .meta({ example: '12.5' })
const ether = z
  .string()
  .regex(/^(0|[1-9]\d*)(\.\d+)?$/)
  .meta({ example: '0.0123' })

const wantedDecimal = String.raw`(0|[1-9]\d{0,12})(\.\d{1,18})?`
const isPositive = (text: string) => /[1-9]/.test(text) || text === 'all'

/** How much an agent wants to withdraw. */
export const wantedAmount = z
  .string()
  .regex(new RegExp(`^(all|${wantedDecimal})$`), 'must be a decimal string such as "12.5", or "all"')
  .refine(isPositive, 'must be more than 0')
  .meta({ example: '12.5' })
  .describe('Whole tokens as a decimal string, or `all`: as `eth` that is what the curve buys back now.')

/** The least that a sale must pay. */
export const leastEth = z
  .string()
  .regex(new RegExp(`^${wantedDecimal}$`), 'must be a decimal string such as "0.01"')
  .meta({ example: '0.0123' })
  .describe('Least ETH that a sale must pay; default: the present quote less 1 %. Only with `eth`.')

/** How tokens are paid out. */
export const payoutForm = z
  .enum(['tokens', 'eth'])
  .describe('`tokens`: the tokens go to `to`. `eth`: the curve buys them back and pays ETH to `to`.')

/** A withdrawal from the managed wallet. */
export const withdrawal = z
  .object({
    id: id('withdrawal'),
    project_id: id('project'),
    token_symbol: z.string().describe('Symbol of the token.'),
    token_address: address.describe('Contract address of the token.'),
    wallet_address: address.describe('The managed wallet that the tokens leave.'),
    amount: decimal.describe(
      'Whole tokens, as a decimal string. Once it is confirmed, this is the amount that the chain has moved, which can differ from ' +
        'the amount until then if an earlier request with the same `Idempotency-Key` was lost.',
    ),
    to: address.describe('Receives the tokens or the ETH.'),
    as: payoutForm,
    min_eth: ether.nullable().describe('Least ETH that the sale must pay; `null` for `tokens`.'),
    eth_paid: ether.nullable().describe('ETH that the sale has paid; `null` until then, and for `tokens`.'),
    ...relayFields,
  })
  .meta({ id: 'Withdrawal', description: 'A withdrawal from the managed wallet of its agent.' })

/** How many withdrawals an agent may make. */
export const dailyLimit = z
  .object({
    most: count.describe('Most withdrawals and changes of an allowance in 24 hours.'),
    left: count.describe('How many of them are left now.'),
    next_at: timestamp('one more is free')
      .nullable()
      .describe('When one more is free; `null` while some are left.'),
  })
  .describe("The caller's limit.")

/** A row as it is returned. */
export function presentWithdrawal(row: RelayRow): z.input<typeof withdrawal> {
  const inEther = (wei: string | null) => (wei === null ? null : toDecimal(BigInt(wei)))
  return {
    ...row,
    project_id: row.project_id as string,
    token_symbol: row.token_symbol as string,
    token_address: getAddress(row.token),
    wallet_address: getAddress(row.wallet),
    amount: toDecimal(BigInt(row.amount_moved ?? row.amount)),
    to: getAddress(row.recipient),
    as: row.as_eth ? 'eth' : 'tokens',
    min_eth: inEther(row.min_eth),
    eth_paid: inEther(row.eth_paid),
    ...presentRelay(row),
  }
}
