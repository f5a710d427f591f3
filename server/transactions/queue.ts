import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import type { Database } from '../db/connect.ts'
import { secondsFrom } from '../lapsed.ts'
import type { LaneLease } from './lease.ts'
import type { Purpose, QueuedTransaction } from './types.ts'

/** States in which a transaction can still bring about what it is for, or has done so. */
const live = ['queued', 'unconfirmed', 'mined', 'confirmed', 'needs_operator'] as const

/** Pause before a transaction that had to wait is tried again. */
const retrySeconds = 0.5

/** Stores, in the caller's transaction, that a transaction is wanted; returns its id. `from` pins it to one lane. */
export async function enqueueTransaction(
  trx: Database,
  wanted: {
    chainId: number
    purpose: Purpose
    subject: string
    to: string
    data: Hex
    from?: string
  },
): Promise<number> {
  const row = await trx
    .insertInto('transactions')
    .values({
      chain_id: wanted.chainId,
      purpose: wanted.purpose,
      subject: wanted.subject,
      to_address: wanted.to.toLowerCase(),
      data: wanted.data,
      from_address: wanted.from?.toLowerCase() ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/**
 * Queued transactions this lane may take: those that were not tried lately first, so that one that cannot be prepared
 * holds up no other, and of those the lane's own share first, so that lanes do not all prepare the same ones.
 */
export async function queuedFor(
  db: Database,
  lane: LaneLease,
  share: { index: number; of: number },
  limit: number,
): Promise<QueuedTransaction[]> {
  const rows = await db
    .selectFrom('transactions')
    .select(['id', 'purpose', 'subject', 'to_address', 'data', 'from_address', 'error'])
    .where('chain_id', '=', lane.chainId)
    .where('status', '=', 'queued')
    .where((where) =>
      where.or([where('error', 'is', null), where(secondsFrom('updated_at'), '>=', retrySeconds)]),
    )
    .where((where) => where.or([where('from_address', 'is', null), where('from_address', '=', lane.address)]))
    .orderBy(sql`error is not null`)
    .orderBy(sql`case when error is null then id % ${share.of} <> ${share.index} end`)
    .orderBy('updated_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose as Purpose,
    subject: row.subject as string,
    to: row.to_address as Address,
    data: row.data as Hex,
    isPinned: row.from_address !== null,
    waitsFor: row.error,
  }))
}

/**
 * Whether another transaction for the same end is alive. A payout or a deploy gets a second nonce only when nothing
 * can come of its first any more.
 */
export async function hasLiveTransaction(
  db: Database,
  purpose: Purpose,
  subject: string,
  besides?: number,
): Promise<boolean> {
  let query = db
    .selectFrom('transactions')
    .select('id')
    .where('subject', '=', subject)
    .where('purpose', '=', purpose)
    .where('status', 'in', live)
  if (besides !== undefined) query = query.where('id', '<>', besides)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** Notes why a queued transaction has to wait; those that wait are tried after the others. */
export async function defer(trx: Database, id: number, reason: string): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({ error: reason, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}

/** Gives a queued transaction its nonce; false where another lane was faster. */
export async function assignNonce(
  trx: Database,
  lane: LaneLease,
  assignment: { id: number; nonce: number; gasLimit: bigint },
): Promise<boolean> {
  const row = await trx
    .updateTable('transactions')
    .set({
      status: 'unconfirmed',
      from_address: lane.address,
      nonce: assignment.nonce,
      gas_limit: Number(assignment.gasLimit),
      error: null,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', assignment.id)
    .where('status', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a queued transaction without a nonce; false where a lane has taken it meanwhile. */
export async function refuse(trx: Database, id: number, reason: string): Promise<boolean> {
  const row = await trx
    .updateTable('transactions')
    .set({ status: 'refused', error: reason, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
