import { z } from 'zod'
import { toDecimal } from '../../chain/units.ts'
import { relayFailures } from '../../engines/relays/store.ts'
import { address, id, timestamp, transactionHash } from '../fields.ts'
import type { RelayRow } from './queries.ts'

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

/** How a relay stands. */
export const relayStatus = z.enum(['queued', 'sent', 'confirmed', 'failed']).meta({
  id: 'RelayStatus',
  description:
    '`queued`: signed, and not sent yet. `sent`: on its way; whatever happens, it is made once or not at all. `confirmed`: ' +
    'made, in `tx_hash`. `failed`: not made, and nobody can make it any more.',
})

/** Why it failed. */
export const relayError = z
  .object({
    code: z.enum(relayFailures).describe('What has kept it from happening.'),
    message: z.string().describe('What that means and what to do next.'),
  })
  .meta({ id: 'RelayError', description: 'Why a withdrawal or a change of an allowance has failed.' })

/** What every relay shows. */
export const relayFields = {
  status: relayStatus,
  tx_hash: transactionHash
    .nullable()
    .describe('Transaction that made it; `null` until it is confirmed. It may be somebody else’s.'),
  error: relayError.nullable().describe('Why it failed; `null` unless it has.'),
  expires_at: timestamp('nobody can make it any more'),
  created_at: timestamp('it was asked for'),
  updated_at: timestamp('it last changed'),
}

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
    amount: decimal.describe('Whole tokens, as a decimal string.'),
    to: address.describe('Receives the tokens or the ETH.'),
    as: payoutForm,
    min_eth: ether
      .nullable()
      .describe('Least ETH that the sale must pay; `null` for `tokens`, or if it is not known any more.'),
    eth_paid: ether.nullable().describe('ETH that the sale has paid; `null` until then, and for `tokens`.'),
    ...relayFields,
  })
  .meta({ id: 'Withdrawal', description: 'A withdrawal from the managed wallet of its agent.' })

/** The fields of {@link relayFields}. */
export function presentRelay(row: RelayRow) {
  const { status, transaction_status, error_code, error } = row
  const isQueued = transaction_status === 'queued'
  return {
    status: status === 'running' ? (isQueued ? ('queued' as const) : ('sent' as const)) : status,
    tx_hash: row.tx_hash,
    error:
      status === 'failed' && error_code !== null && error !== null
        ? { code: error_code as (typeof relayFailures)[number], message: error }
        : null,
    expires_at: new Date(row.valid_before * 1000).toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** A row as it is returned. */
export function presentWithdrawal(row: RelayRow): z.infer<typeof withdrawal> {
  const inEther = (wei: string | null) => (wei === null ? null : toDecimal(BigInt(wei)))
  return {
    id: row.id,
    project_id: row.project_id,
    token_symbol: row.token_symbol,
    token_address: row.token,
    wallet_address: row.wallet,
    amount: toDecimal(BigInt(row.amount)),
    to: row.recipient,
    as: row.as_eth ? 'eth' : 'tokens',
    min_eth: inEther(row.min_eth),
    eth_paid: inEther(row.eth_paid),
    ...presentRelay(row),
  }
}
