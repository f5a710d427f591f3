import { getAddress } from 'viem'
import { z } from 'zod'
import { address, bigNumber, count, decimal, id, timestamp, transactionHash } from '../../api/fields.ts'
import { toDecimal } from '../chain/units.ts'
import { presentDollars } from './dollars.ts'
import type { PayoutRow } from './queries.ts'

/** The statuses of a payout, by those that are stored. */
const statuses = {
  running: 'pending',
  settled: 'confirmed',
  failed: 'failed',
  needs_operator: 'needs_operator',
} as const

type Stored = keyof typeof statuses

/** The stored status of payouts that are shown with this one. */
export const storedAs = (status: (typeof statuses)[Stored]) =>
  (Object.keys(statuses) as Stored[]).find((stored) => statuses[stored] === status)

/** A receipt. */
export const payout = z
  .object({
    submission_id: id('submission'),
    bounty_id: id('bounty'),
    project_id: id('project'),
    agent_id: id('agent', 'Id of the agent that is paid.'),
    payout_id: z
      .string()
      .regex(/^0x[0-9a-f]{64}$/)
      .describe('Id under which the platform wallet pays the bounty, once and never again.'),
    status: z
      .enum(['pending', 'confirmed', 'failed', 'needs_operator'])
      .describe(
        '`pending`: under way. `confirmed`: paid. `failed`: not paid; the founder can approve again. `needs_operator`: the ' +
          'operator of this service has to look into it.',
      ),
    gross: decimal.describe('What the founder pays, in whole tokens: `net` and `fee`.'),
    fee: decimal.describe('The platform fee, in whole tokens.'),
    net: decimal.describe('What the contributor gets, in whole tokens.'),
    dollars: z
      .object({
        gross: decimal.describe('All that was locked for the bounty, in dollars: `net` and `fee`.'),
        fee: decimal.describe('The platform fee, in dollars.'),
        net: decimal.describe('What the contributor gets, in dollars.'),
      })
      .nullable()
      .describe(
        'What is paid in dollars with the tokens, in the same transaction; `null` where nothing was locked.',
      ),
    worth_eth: decimal
      .nullable()
      .describe(
        'Ether that the curve would have paid for `net` when the payout began, after all that the project had begun to pay in the 24 ' +
          'hours before; `null` where that was not read.',
      ),
    backed: z
      .boolean()
      .describe("Whether that was enough to count for the contributor's standing once it is paid."),
    token_address: address.describe("Contract address of the project's token."),
    from: address.describe('Wallet that pays.'),
    to: address.describe('Wallet that is paid.'),
    tx_hash: transactionHash.nullable().describe('Transaction that paid; `null` until it is known.'),
    block_number: bigNumber
      .nullable()
      .describe('Number of the block of the payment; `null` until it was read from the chain.'),
    log_index: count
      .nullable()
      .describe('Index of the `Paid` event in the block; `null` until it was read from the chain.'),
    confirmed_at: timestamp('the payment counted').nullable().meta({
      description: 'When the payment counted: ISO 8601 in UTC, to the millisecond; `null` before.',
    }),
  })
  .meta({
    id: 'Payout',
    description: 'A receipt: what was paid for a submission, and where the chain shows it.',
  })

/** A row as it is returned. */
export function presentPayout(row: PayoutRow): z.input<typeof payout> {
  const net = BigInt(row.amount)
  const fee = BigInt(row.fee)
  return {
    ...row,
    status: statuses[row.status],
    gross: toDecimal(net + fee),
    fee: toDecimal(fee),
    net: toDecimal(net),
    dollars: presentDollars(row),
    worth_eth: row.worth_wei === null ? null : toDecimal(BigInt(row.worth_wei)),
    backed: row.is_backed,
    token_address: getAddress(row.token),
    from: getAddress(row.from_address),
    to: getAddress(row.to_address),
    confirmed_at: row.settled_at,
  }
}
