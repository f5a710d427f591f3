import { sql } from 'kysely'
import { payoutIdOf } from '../../chain/units.ts'
import type { Database } from '../../db/connect.ts'

/** When this database last learned of anything; undefined for one that never did. */
export async function lastActivity(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('activity')
    .select('created_at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
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
