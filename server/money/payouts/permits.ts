import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../db/client.ts'

/**
 * Payouts and permits of one token exclude each other: a permit that was signed before a payout and mined after it would
 * approve once more what the payout has spent. No permit is signed while a payout is unsettled, and a payout gets no nonce
 * while a permit is running. The lock orders the two by their commits: what was stored first is seen by the other.
 */
const lockOf = (token: Address) => sql`hashtext(${`permits of ${token.toLowerCase()}`})`

/** Select list item: waits for the permit that is being stored, before a payout is stored. */
export const waitForPermits = (token: Address) => sql`pg_advisory_xact_lock_shared(${lockOf(token)})`

/**
 * Condition: a permit of the project of the payout `p` may still set the allowance. One that was confirmed may do so again
 * when a reorganisation has taken its transaction back.
 */
export const permitIsRunning = sql<boolean>`exists (select from relays r left join transactions t on t.id = r.transaction_id
  where r.kind = 'permit' and r.project_id = p.project_id
    and (r.status = 'running' or (r.status = 'confirmed' and t.status in ('unconfirmed', 'mined'))))`

/**
 * Whether a payout of the token may still be made. One that waits for a person counts only while a transaction of it may be
 * mined: some wait permanently. Until the end of the transaction none is stored.
 */
export async function hasUnsettledPayout(trx: Database, token: Address): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${lockOf(token)})`.execute(trx)
  const { rows } = await sql`select from payouts p
    where p.status <> 'settled' and lower(p.token) = ${token.toLowerCase()} and (p.status = 'running'
      or (p.status = 'needs_operator' and exists (select from transactions t where t.entity_id = p.submission_id
        and t.purpose = 'payout' and t.status in ('queued', 'unconfirmed', 'mined', 'needs_operator')))) limit 1`.execute(
    trx,
  )
  return rows.length > 0
}
