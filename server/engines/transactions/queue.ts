import { type RawBuilder, sql } from 'kysely'
import type { Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { secondsFrom } from '../../db/lease.ts'
import { type LaneLease, laneHeld, writeUnderLease } from './lane-lease.ts'
import type { Purpose, QueuedTransaction, SignedAttempt } from './types.ts'

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
      data: wanted.data,
      from_address: wanted.from?.toLowerCase() ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Condition: a queued row had to wait a moment ago. */
export const triedLately = sql<boolean>`(error is not null and ${secondsFrom('updated_at')} < ${sql.lit(retrySeconds)})`

/**
 * Order of the queue: those that were not tried lately first, so that one that cannot be prepared holds up no other, and
 * of those the lane's own share first, so that lanes do not all prepare the same ones.
 */
export function queueOrder(share: { index: number; of: number }) {
  return sql`error is not null, case when error is null then id % ${share.of}::int <> ${share.index}::int end, updated_at, id`
}

/** A queued row of `transactions t`, as JSON. */
export function queuedJson(details: RawBuilder<unknown>) {
  return sql<QueuedTransaction>`jsonb_build_object(
    'id', t.id, 'purpose', t.purpose, 'entityId', t.entity_id, 'to', t.to_address, 'data', t.data,
    'isPinned', t.from_address is not null, 'waitsFor', t.error, 'isBlocked', ${othersPending}, 'details', ${details})`
}

/** Condition: a row of `transactions t` can still bring about what it is for, or has done so. */
export const canStillPay = sql<boolean>`t.status = any (${sql.lit(`{${live}}`)})`

/** Condition: of a row of `transactions t`, another transaction for the same end is alive. */
const othersAlive = sql<boolean>`exists (select from transactions other where other.entity_id = t.entity_id
  and other.purpose = t.purpose and other.id <> t.id and other.status = any (${sql.lit(`{${live}}`)}))`

/**
 * Condition: the same, and it is not over. What waits behind one that is over for good is looked at, and ended because
 * there is nothing left to do.
 */
const othersPending = sql<boolean>`exists (select from transactions other where other.entity_id = t.entity_id
  and other.purpose = t.purpose and other.id <> t.id and other.status = any (${sql.lit(`{${live}}`)})
  and not (other.status = 'confirmed' and other.is_final))`

/**
 * Whether a transaction for the same end is alive. A payout or a deploy gets a second nonce only when nothing can come
 * of its first any more.
 */
export async function hasLiveTransaction(db: Database, purpose: Purpose, entityId: string): Promise<boolean> {
  const { rows } = await sql`select from transactions
    where entity_id = ${entityId} and purpose = ${purpose} and status = any (${sql.lit(`{${live}}`)}) limit 1`.execute(
    db,
  )
  return rows.length > 0
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

/** From now on only the signer `address` may take a queued transaction. */
export async function pin(trx: Database, id: number, address: string, reason: string): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({ from_address: address.toLowerCase(), error: reason, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}

/** A queued transaction with the nonce it shall have and the bytes that use it. */
export interface Assignment {
  id: number
  nonce: number
  gasLimit: bigint
  attempt: SignedAttempt
}

/**
 * Gives queued transactions their nonces, which follow each other, and stores the signed bytes: all of it or nothing, in
 * one statement. Returns the ids that could still be had; where one was missing, nothing was stored.
 * @throws LeaseLostError, also where the first nonce is not the next one any more because the database fell back
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
      ${column(({ attempt }) => attempt.raw)}::text[],
      ${column(({ attempt }) => attempt.maxFeePerGas.toString())}::numeric[],
      ${column(({ attempt }) => attempt.maxPriorityFeePerGas.toString())}::numeric[],
      ${column(({ attempt }) => attempt.headBlock)}::bigint[])
      as wanted (id, nonce, gas_limit, hash, raw, max_fee_per_gas, max_priority_fee_per_gas, head_block)),
    free as materialized (select t.id from lane, transactions t
      where t.id in (select id from wanted) and t.status = 'queued' and not ${othersAlive}
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
