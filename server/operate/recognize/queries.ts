import { sql } from 'kysely'
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

/** By our own book, the nonce each operator key uses next; by lower-case address. */
export async function bookedNonces(db: Database, chainId: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('lanes')
    .select(['address', 'next_nonce'])
    .where('chain_id', '=', chainId)
    .execute()
  return new Map(rows.map(({ address, next_nonce }) => [address, next_nonce]))
}

/** Submissions that nobody has begun to pay, as far as this database knows. */
export function unpaidSubmissions(db: Database) {
  return db
    .selectFrom('submissions')
    .select(['id', 'bounty_id', 'review_notes'])
    .where('status', '=', 'pending')
    .execute()
}

/** Which of these payout ids this database knows. */
export async function knownPayouts(db: Database, payoutIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('payouts')
    .select('payout_id')
    .where('payout_id', '=', sql<string>`any(${payoutIds})`)
    .execute()
  return new Set(rows.map((row) => row.payout_id))
}
