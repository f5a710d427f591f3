import { type RawBuilder, sql } from 'kysely'
import type { Hex } from 'viem'
import { hexOf, toBytes } from '../../../db/bytes.ts'
import type { Database } from '../../../db/client.ts'
import { secondsFrom } from '../../../db/lease.ts'
import { laneHeld, writeUnderLease } from '../lane/lease.ts'
import { otherIsLive, otherIsUnresolved } from '../live.ts'
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
 * many as may be in flight. Of each kind those that never had to wait come first, so that one that cannot be prepared
 * holds up no other; among them the lane's own share, so that lanes do not all prepare the same transactions.
 */
export function queuedRows(
  lane: { chainId: number; address: string },
  share: { index: number; of: number },
): RawBuilder<unknown> {
  const isFresh = sql`error is null`
  return sql`select * from (select *, row_number() over (partition by ${isNoPayout} order by not (${isFresh}),
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

/** Stores why a queued transaction has to wait; it is tried again after the others. */
export async function defer(trx: Database, id: number, reason: string): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({ error: reason, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}

/** Pins a queued transaction: from now on only the signer `address` may take it. */
export async function pin(trx: Database, id: number, address: string, reason: string): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({ from_address: address.toLowerCase(), error: reason, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
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
 * Gives queued transactions consecutive nonces and stores their signed bytes in one statement. Returns the ids that were
 * still free; where one of them was not, nothing is stored.
 * @throws LeaseLostError, also when the first nonce is no longer the next one because the database fell back
 */
export async function storeAssignments(
  db: Database,
  lease: LaneLease,
  assignments: Assignment[],
): Promise<Set<number>> {
  const column = <Value>(pick: (assignment: Assignment) => Value) => assignments.map(pick)
  const { free } = await writeUnderLease(
    db,
    lease,
    sql<{ held: boolean; free: number[] }>`
    with lane as materialized (${laneHeld(lease, Math.min(...column(({ nonce }) => nonce)))}),
    wanted as (select * from unnest(${column(({ id }) => id)}::bigint[], ${column(({ nonce }) => nonce)}::bigint[],
      ${column(({ gasLimit }) => gasLimit.toString())}::bigint[], ${column(({ attempt }) => attempt.hash)}::text[],
      ${column(({ attempt }) => toBytes(attempt.raw))}::bytea[],
      ${column(({ attempt }) => attempt.maxFeePerGas.toString())}::numeric[],
      ${column(({ attempt }) => attempt.maxPriorityFeePerGas.toString())}::numeric[],
      ${column(({ attempt }) => attempt.headBlock)}::bigint[])
      as wanted (id, nonce, gas_limit, hash, raw, max_fee_per_gas, max_priority_fee_per_gas, head_block)),
    free as materialized (select t.id from lane, transactions t
      where t.id in (select id from wanted) and t.status = 'queued' and not ${otherIsLive()}
        and (t.from_address is null or t.from_address = lane.address)
      order by t.id for no key update of t),
    assigned as (update transactions t
      set status = 'unconfirmed', from_address = lane.address, nonce = wanted.nonce, gas_limit = wanted.gas_limit,
        error = null, updated_at = clock_timestamp()
      from lane, wanted
      where t.id = wanted.id and (select count(*) from free) = (select count(*) from wanted)
      returning t.id),
    attempts as (insert into transaction_attempts
        (hash, transaction_id, raw, max_fee_per_gas, max_priority_fee_per_gas, head_block)
      select hash, id, raw, max_fee_per_gas, max_priority_fee_per_gas, head_block
        from wanted where id in (select id from assigned)),
    advanced as (update lanes set next_nonce = (select max(nonce) + 1 from wanted) from lane
      where lanes.chain_id = lane.chain_id and lanes.address = lane.address and exists (select from assigned))
    select exists (select from lane) as held, (select coalesce(jsonb_agg(id), '[]') from free) as free`,
  )
  return new Set(free)
}

/** Ends a queued transaction without a nonce; false when a lane has taken it meanwhile. */
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
