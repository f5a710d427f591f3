import type { Selectable } from 'kysely'
import { z } from 'zod'
import { address, dollars, id, timestamp, transactionHash } from '../../api/fields.ts'
import type { Config } from '../../config/config.ts'
import type { Deposits } from '../../db/generated/tables.ts'
import { workHours } from '../../lifecycle/deadlines.ts'
import { fromDollars, leastDollars, toDollars } from '../chain/units.ts'
import { type RelayFailure, relayFailures } from '../relays/failures.ts'

/** How many dollars a founder wants to lock. */
export const wantedDollars = z
  .string()
  .regex(/^(0|[1-9]\d{0,10})(\.\d{1,6})?$/, {
    error: 'must be a decimal string of dollars such as "20.50"',
    abort: true,
  })
  .refine((text) => fromDollars(text) >= fromDollars(leastDollars), `must be at least ${leastDollars}`)
  .meta({ example: '20.50' })

const statuses = ['none', 'queued', 'locked', 'paid', 'refunding', 'refunded', 'failed'] as const

/** What is locked for a bounty. */
export const bountyDollars = z
  .object({
    bounty_id: id('bounty'),
    amount: dollars.nullable().describe('In dollars; `null` where the status is `none`.'),
    status: z
      .enum(statuses)
      .describe(
        '`queued`: signed, and on its way. `locked`: the platform wallet holds it for who is paid; should a reorganisation of ' +
          'the chain take that back, it is `queued` again. `paid`, `refunded`: the end. `refunding`: going back to the founder. `failed`: ' +
          'nothing was locked, and nobody can use the signature any more; another deposit is possible unless its wallet has cancelled this one.',
      ),
    locked_until: timestamp('the lock ends')
      .nullable()
      .describe(
        'When the lock ends: from then on it can only go back to the founder; `null` before it begins.',
      ),
    expires_soon: z
      .boolean()
      .describe('Whether the lock may end before work that is claimed now is done, reviewed and paid.'),
    fund_tx: transactionHash.nullable().describe('Transaction that locked it.'),
    end_tx: transactionHash.nullable().describe('Transaction that paid or returned it.'),
    error_code: z
      .string()
      .nullable()
      .describe(`Why it failed, or why it was not returned yet: ${codes()}, or a later one.`),
  })
  .meta({ id: 'BountyDollars', description: 'The dollars that a founder has locked for a bounty.' })

function codes(): string {
  return (Object.keys(relayFailures) as RelayFailure[]).map((code) => `\`${code}\``).join(', ')
}

/** A deposit as it is returned; undefined for a bounty that never had one. */
export function presentDollars(
  bounty: { id: string; difficulty: 'easy' | 'medium' | 'hard' | 'extreme' },
  deposit:
    | Pick<Selectable<Deposits>, 'amount' | 'status' | 'locked_until' | 'fund_tx' | 'end_tx' | 'error_code'>
    | undefined,
  config: Config,
): z.input<typeof bountyDollars> {
  const none = { locked_until: null, fund_tx: null, end_tx: null, error_code: null }
  const { amount = null, status = 'none', ...rest } = deposit ?? {}
  const { locked_until, fund_tx, end_tx, error_code } = { ...none, ...rest }
  const worked = new Date(Date.now() + workHours(config)[bounty.difficulty] * 3_600_000)
  return {
    bounty_id: bounty.id,
    amount: amount === null ? null : toDollars(BigInt(amount)),
    status,
    locked_until,
    expires_soon: status === 'locked' && locked_until !== null && locked_until < worked,
    fund_tx,
    end_tx,
    error_code,
  }
}

const member = z.object({ name: z.string().describe('Its name.'), type: z.string().describe('Its type.') })
const members = z.array(member).max(10)
const digits = z.string().regex(/^\d+$/).meta({ example: '1767225600' })

/** EIP-712 as `eth_signTypedData_v4` takes it. */
export const toSign = z
  .object({
    types: z
      .object({
        EIP712Domain: members.describe('Members of the domain.'),
        ReceiveWithAuthorization: members.describe('Members of the message.'),
      })
      .describe('The types.'),
    primaryType: z.literal('ReceiveWithAuthorization').describe('The type of the message.'),
    domain: z
      .object({
        name: z.string().describe('Name of the coin.'),
        version: z.string().describe('Version of the coin.'),
        chainId: z.int().describe('Id of the chain.'),
        verifyingContract: address.describe('The coin.'),
      })
      .describe('The domain of the coin.'),
    message: z
      .object({
        from: address.describe('The wallet that funds the project.'),
        to: address.describe('The platform wallet.'),
        value: digits.describe('Base units of the coin, which has 6 decimals.'),
        validAfter: digits.describe('0.'),
        validBefore: digits.describe('Send it as `valid_before`.'),
        nonce: transactionHash.describe('Of this bounty alone, so that the coin takes one deposit for it.'),
      })
      .describe('The authorization.'),
  })
  .meta({
    id: 'DollarsToSign',
    description: 'What the wallet that funds the project signs, as it stands, with `eth_signTypedData_v4`.',
  })
