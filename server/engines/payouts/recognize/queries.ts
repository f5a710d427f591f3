import { sql } from 'kysely'
import { payoutIdOf } from '../../../chain/units.ts'
import type { Database } from '../../../db/client.ts'

/**
 * When this database last had something signed by a key; for a key it does not know, when its first bounty was created.
 * Undefined where there is no bounty, so nothing can have been paid.
 */
export async function lastSigned(db: Database, chainId: number, signer: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`select coalesce(
    (select max(created_at) from transaction_attempts where transaction_id =
      (select t.id from lanes l join transactions t on t.chain_id = l.chain_id and t.from_address = l.address
        where l.chain_id = ${chainId} and l.address = ${signer.toLowerCase()} and t.nonce < l.next_nonce
        order by t.nonce desc limit 1)),
    (select min(created_at) from bounties)) as at`.execute(db)
  return rows[0]?.at ?? undefined
}

/** A submission that waits for its review. */
export interface UnpaidSubmission {
  id: string
  bounty_id: string
  review_notes: string | null
}

/** Submissions that nobody has begun to pay, as far as this database knows. */
export function unpaidSubmissions(db: Database): Promise<UnpaidSubmission[]> {
  return db
    .selectFrom('submissions')
    .select(['id', 'bounty_id', 'review_notes'])
    .where('status', '=', 'pending')
    .execute()
}

/** Which of these payout ids are being paid or were paid, as far as this database knows. */
export async function knownPayouts(db: Database, payoutIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('payouts')
    .select('payout_id')
    .where('payout_id', '=', sql<string>`any(${payoutIds})`)
    .where('status', '!=', 'failed')
    .execute()
  return new Set(rows.map((row) => row.payout_id))
}

/** Bounties whose ids are read at a time. */
const bountiesAtOnce = 5000

/** The bounties that are not done and have one of these payout ids, by it. Looks through all of them in parts. */
export async function bountiesByPayoutId(
  db: Database,
  chainId: number,
  payoutIds: string[],
): Promise<Map<string, string>> {
  const wanted = new Set(payoutIds)
  const found = new Map<string, string>()
  for (let last = ''; found.size < wanted.size; ) {
    const rows = await db
      .selectFrom('bounties')
      .select('id')
      .where('id', '>', last)
      .where('status', '!=', 'done')
      .orderBy('id')
      .limit(bountiesAtOnce)
      .execute()
    for (const { id } of rows) {
      const payoutId = payoutIdOf(chainId, id)
      if (wanted.has(payoutId)) found.set(payoutId, id)
    }
    if (rows.length < bountiesAtOnce) break
    last = rows.at(-1)?.id ?? ''
  }
  return found
}
