import { sql } from 'kysely'
import type { Hash } from 'viem'
import type { Database } from '../../db/client.ts'
import { secondsFrom } from '../../db/lease.ts'
import { type LaneLease, laneHeld, writeUnderLease } from './lane-lease.ts'
import type { LaneTransaction, MinedTransaction } from './types.ts'

const nowhere = { mined_hash: null, block_number: null, block_hash: null, is_final: false }
const touched = { updated_at: sql<Date>`clock_timestamp()` }

/** Where a transaction was mined, and what that means so far. */
export async function recordMined(
  trx: Database,
  transaction: Pick<LaneTransaction, 'id' | 'status'>,
  mined: {
    status: 'mined' | 'confirmed' | 'reverted'
    hash: Hash
    blockNumber: number
    blockHash: Hash
  },
): Promise<void> {
  await takeBack(trx, transaction)
  await trx
    .updateTable('transactions')
    .set({
      status: mined.status,
      mined_hash: mined.hash,
      block_number: mined.blockNumber,
      block_hash: mined.blockHash,
      is_final: false,
      receipt_checks: 0,
      error: null,
      ...touched,
    })
    .where('id', '=', transaction.id)
    .execute()
}

/**
 * The receipt is gone: the transaction is wanted again, with the same nonce and the same bytes. Which bytes had been mined
 * is kept, so that those are sent first, and the age that raises fees counts from now.
 */
export async function recordVanished(trx: Database, id: number): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({
      status: 'unconfirmed',
      vanished_hash: sql<string>`mined_hash`,
      vanished_at: sql<Date>`clock_timestamp()`,
      ...nowhere,
      receipt_checks: 0,
      ...touched,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Where transactions were mined in which nothing is decided yet, in one statement. Returns the ids for which that still
 * was so. @throws LeaseLostError
 */
export async function recordPlaces(
  db: Database,
  lease: LaneLease,
  places: Omit<MinedTransaction, 'entityId'>[],
): Promise<Set<number>> {
  const { placed } = await writeUnderLease(
    db,
    lease,
    sql<{ held: boolean; placed: number[] }>`
    with lane as materialized (${laneHeld(lease)}),
    placed as (update transactions t
      set status = 'mined', ${minedAt}, updated_at = clock_timestamp()
      from lane, ${minedRows(places)}
      where t.id = mined.id and t.status in ('unconfirmed', 'mined')
      returning t.id)
    select exists (select from lane) as held, (select coalesce(jsonb_agg(id), '[]') from placed) as placed`,
  )
  return new Set(placed)
}

/** What an update of transactions sets from {@link minedRows}. */
export const minedAt = sql`mined_hash = mined.hash, block_number = mined.block_number,
  block_hash = mined.block_hash, is_final = false, receipt_checks = 0, error = null`

/** Rows `mined` of where transactions were mined. */
export function minedRows(places: Omit<MinedTransaction, 'entityId'>[]) {
  return sql`unnest(${places.map(({ id }) => id)}::bigint[], ${places.map(({ hash }) => hash)}::text[],
    ${places.map(({ blockNumber }) => blockNumber)}::bigint[], ${places.map(({ blockHash }) => blockHash)}::text[])
    as mined (id, hash, block_number, block_hash)`
}

/** What these blocks hold of a lane is looked at no more. @throws LeaseLostError */
export async function recordFinal(db: Database, lease: LaneLease, blocks: Hash[]): Promise<void> {
  await writeUnderLease(
    db,
    lease,
    sql<{ held: boolean }>`
    with lane as materialized (${laneHeld(lease)}),
    final as (update transactions t set is_final = true from lane
      where t.chain_id = lane.chain_id and t.from_address = lane.address and t.nonce is not null and not t.is_final
        and t.status in ('confirmed', 'reverted') and t.block_hash = any (${blocks}))
    select exists (select from lane) as held`,
  )
}

/** The nonce is used up and no receipt of ours is found: counts the look, at most one in `pauseSeconds`. */
export async function recordReceiptCheck(trx: Database, id: number, pauseSeconds: number): Promise<number> {
  const row = await trx
    .updateTable('transactions')
    .set({ receipt_checks: sql`receipt_checks + 1`, ...touched })
    .where('id', '=', id)
    .where(secondsFrom('updated_at'), '>', pauseSeconds)
    .returning('receipt_checks')
    .executeTakeFirst()
  return row?.receipt_checks ?? 0
}

/** A person must look: until then it is only watched, in case a receipt of ours turns up after all. */
export async function recordStuck(
  trx: Database,
  transaction: Pick<LaneTransaction, 'id' | 'status'>,
  why: string,
): Promise<void> {
  await takeBack(trx, transaction)
  await trx
    .updateTable('transactions')
    .set({ status: 'needs_operator', ...nowhere, error: why, ...touched })
    .where('id', '=', transaction.id)
    .execute()
}

/** Given up: its nonce is used up by a transaction that is not ours, and nothing is lost by that. */
export async function recordAbandoned(trx: Database, id: number, why: string): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({ status: 'abandoned', error: why, ...touched })
    .where('id', '=', id)
    .execute()
}

/** It was looked at and nothing new was found. */
export async function recordUnchanged(trx: Database, ids: number[]): Promise<void> {
  await trx.updateTable('transactions').set(touched).where('id', 'in', ids).execute()
}

/** Every way to a new state starts from one in which nothing is decided. */
async function takeBack(trx: Database, transaction: Pick<LaneTransaction, 'id' | 'status'>): Promise<void> {
  if (transaction.status !== 'unconfirmed' && transaction.status !== 'mined')
    await recordVanished(trx, transaction.id)
}
