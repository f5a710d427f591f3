import { z } from 'zod'
import { timestamp, transactionHash } from '../../api/fields.ts'
import { type RelayFailure, relayFailures } from './failures.ts'
import type { RelayRow } from './queries.ts'

const codes = Object.keys(relayFailures) as RelayFailure[]

/** How a relay stands. */
const relayStatus = z.enum(['queued', 'sent', 'confirmed', 'failed']).meta({
  id: 'RelayStatus',
  description:
    '`queued`: signed, and not sent yet. `sent`: on its way; whatever happens, it is made once or not at all. `confirmed`: ' +
    'made, in `tx_hash` where that is known; should a reorganisation of the chain take that back, it is `sent` again. ' +
    '`failed`: not made, and nobody can make it any more.',
})

/** Why it failed. */
const relayError = z
  .object({
    code: z.enum(codes).describe('What has kept it from happening.'),
    message: z.string().describe('What that means and what to do next.'),
  })
  .meta({ id: 'RelayError', description: 'Why a withdrawal or a change of an allowance has failed.' })

/** What every relay shows. */
export const relayFields = {
  status: relayStatus,
  tx_hash: transactionHash
    .nullable()
    .describe(
      'Transaction that made it, which may be somebody else’s; while `sent`, the one that was sent last, which another one may ' +
        'replace. `null` before, and where the chain shows the new allowance but not the transaction.',
    ),
  error: relayError.nullable().describe('Why it failed; `null` unless it has.'),
  expires_at: timestamp('nobody can make it any more'),
  created_at: timestamp('it was asked for'),
  updated_at: timestamp('it last changed'),
}

/** The fields of {@link relayFields}. */
export function presentRelay(row: RelayRow) {
  const { status, transaction_status, error_code, error } = row
  const isSent = status === 'running' && transaction_status !== 'queued'
  const updatedAt = isSent && row.sent_at && row.sent_at > row.updated_at ? row.sent_at : row.updated_at
  return {
    status: isSent ? ('sent' as const) : status === 'running' ? ('queued' as const) : status,
    tx_hash: isSent ? row.sent_hash : row.tx_hash,
    error:
      status === 'failed' && error_code !== null && error !== null
        ? { code: error_code as RelayFailure, message: error }
        : null,
    expires_at: new Date(row.valid_before * 1000),
    created_at: row.created_at,
    updated_at: updatedAt,
  }
}
