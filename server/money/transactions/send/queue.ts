import { type RawBuilder, sql } from 'kysely'
import type { Hex } from 'viem'
import { hexOf, toBytes } from '../../../db/bytes.ts'
import type { Database } from '../../../db/client.ts'
import { secondsFrom } from '../../../db/lease.ts'
import { takeNonces, underLease } from '../lane/lease.ts'
import { otherIsLive, otherIsUnresolved } from '../live.ts'
import { insertAttempt } from '../store.ts'
import {
  isAfterPayouts,
  type LaneLease,
  type LaneTransaction,
  maxInFlight,
  type Purpose,
  type QueuedTransaction,
  type SignedAttempt,
} from '../types.ts'

/** Pause before a transaction that had to wait is tried again, in seconds. */
const retrySeconds = 0.5

/** Queues a transaction in the caller's database transaction; returns its id. `from` pins it to one lane. */
export async function enqueueTransaction(
  trx: Database,
  wanted: {
    chainId: number
    purpose: Purpose
    entityId: string
    to: string
    data: Hex
    from?: string
    /** Whether the others of the queue go first. */
    goesLast?: boolean
  },
): Promise<number> {
  const row = await trx
    .insertInto('transactions')
    .values({
      chain_id: wanted.chainId,
      purpose: wanted.purpose,
      entity_id: wanted.entityId,
      to_address: wanted.to.toLowerCase(),
      data: toBytes(wanted.data),
      from_address: wanted.from?.toLowerCase() ?? null,
      goes_last: wanted.goesLast ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Condition: a queued row was tried a moment ago and had to wait. */
const wasTriedLately = sql<boolean>`(error is not null and ${secondsFrom('updated_at')} < ${sql.lit(retrySeconds)})`

const isNoPayout = sql<boolean>`(purpose <> 'payout')`
/** Relays and deploys of a lane that may be in flight at the same time: the other places are kept for payouts. */
const maxOthersInFlight = maxInFlight / 2

/**
 * The queued rows that a lane may take, in its order: payouts first, as many as fit in flight, then relays and deploys, as
 * many as may be in flight. Payouts that no buyer stands behind come after the other payouts. Then those that never had to wait come first, so that one that cannot be prepared
 * holds up no other; among them the lane's own share, so that lanes do not all prepare the same transactions.
 */
export function queuedRows(
  lane: { chainId: number; address: string },
  share: { index: number; of: number },
): RawBuilder<unknown> {
  const isFresh = sql`error is null`
  return sql`select * from (select *, row_number() over (partition by ${isNoPayout} order by goes_last, not (${isFresh}),
        case when ${isFresh} then id % ${share.of}::int <> ${share.index}::int end, updated_at, id) as place
      from transactions where chain_id = ${lane.chainId} and status = 'queued' and not ${wasTriedLately}
        and (from_address is null or from_address = ${lane.address})) ranked
    where place <= case when ${isNoPayout} then ${sql.lit(maxOthersInFlight)} else ${sql.lit(maxInFlight)} end`
}

/** The order of {@link queuedRows} `t`. */
export const queueOrder = sql`${isNoPayout}, place`

/**
 * The part of the queue that a lane prepares when `unmined` is in flight. Payouts that cannot be sent now keep nothing else from its
 * turn, so this can be more than the lane has room for: {@link roomFor} says how many get a nonce.
 */
export function nextInQueue(queued: QueuedTransaction[], unmined: Pick<LaneTransaction, 'purpose'>[]) {
  const room = roomFor(unmined)
  const inFlight = unmined.filter(({ purpose }) => isAfterPayouts(purpose)).length
  const roomForOthers = Math.max(0, Math.min(room, maxOthersInFlight - inFlight))
  const payouts = queued.filter(({ purpose }) => !isAfterPayouts(purpose))
  const others = queued.filter(({ purpose }) => isAfterPayouts(purpose))
  return [...payouts.slice(0, room), ...others.slice(0, roomForOthers)]
}

/** How many transactions of a lane may get a nonce while `unmined` is in flight. */
export function roomFor(unmined: unknown[]): number {
  return Math.max(0, maxInFlight - unmined.length)
}

/** A queued row of `transactions t`, as JSON. */
export const queuedJson = sql<QueuedTransaction>`jsonb_build_object(
    'id', t.id, 'purpose', t.purpose, 'entityId', t.entity_id, 'to', t.to_address, 'data', ${hexOf('t.data')},
    'isPinned', t.from_address is not null, 'waitsFor', t.error, 'isBlocked', ${otherIsUnresolved()})`

/** An update of a transaction that is still queued. */
function updateQueued(trx: Database, id: number, error: string) {
  return trx
    .updateTable('transactions')
    .set({ error, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
}

/** Stores why a queued transaction has to wait; it is tried again after the others. */
export async function defer(trx: Database, id: number, reason: string): Promise<void> {
  await updateQueued(trx, id, reason).execute()
}

/** Pins a queued transaction: from now on only the signer `address` may take it. */
export async function pin(trx: Database, id: number, address: string, reason: string): Promise<void> {
  await updateQueued(trx, id, reason).set({ from_address: address.toLowerCase() }).execute()
}

/** Ends a queued transaction without a nonce; false when a lane has taken it meanwhile. */
export async function refuse(trx: Database, id: number, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await updateQueued(trx, id, reason).set({ status: 'refused' }).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A queued transaction with the nonce it is to get and the bytes that use it. */
export interface Assignment {
  id: number
  entityId: string
  nonce: number
  gasLimit: bigint
  attempt: SignedAttempt
}

/**
 * Gives queued transactions consecutive nonces and stores their signed bytes in one transaction. Returns the ids that were
 * still free; where one of them was not, nothing is stored.
 * @throws LeaseLostError, also when the first nonce is no longer the next one because the database fell back
 */
export function storeAssignments(
  db: Database,
  lease: LaneLease,
  assignments: Assignment[],
): Promise<Set<number>> {
  return underLease(db, lease, async (trx) => {
    const ids = assignments.map(({ id }) => id)
    const free = await lockFree(trx, lease, ids)
    if (free.size < assignments.length) return free
    await takeNonces(trx, lease, Math.min(...assignments.map(({ nonce }) => nonce)), assignments.length)
    for (const { id, nonce, gasLimit, attempt } of assignments) {
      const signed = { from_address: lease.address, nonce, gas_limit: Number(gasLimit) }
      await trx
        .updateTable('transactions')
        .set({ status: 'unconfirmed', ...signed, error: null, updated_at: sql`clock_timestamp()` })
        .where('id', '=', id)
        .execute()
      await insertAttempt(trx, id, attempt)
    }
    return free
  })
}

/** Locks those of the transactions that are still free for this lane; returns their ids. */
async function lockFree(trx: Database, lease: LaneLease, ids: number[]): Promise<Set<number>> {
  const rows = await trx
    .selectFrom('transactions as t')
    .select('t.id')
    .where('t.id', 'in', ids)
    .where('t.status', '=', 'queued')
    .where((where) => where.not(otherIsLive()))
    .where((where) =>
      where.or([where('t.from_address', 'is', null), where('t.from_address', '=', lease.address)]),
    )
    .orderBy('t.id')
    .forNoKeyUpdate()
    .execute()
  return new Set(rows.map(({ id }) => id))
}
