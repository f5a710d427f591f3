import { sql } from 'kysely'
import type { Hash } from 'viem'
import type { Database } from '../../../db/client.ts'
import { secondsFrom } from '../../../db/lease.ts'
import { laneHeld, writeUnderLease } from '../lane/lease.ts'
import type { LaneLease, MinedTransaction } from '../types.ts'

const nowhere = { mined_hash: null, block_number: null, block_hash: null, is_final: false }
const touched = { updated_at: sql<Date>`clock_timestamp()` }
/** States in which nothing is decided. Every change of state starts from one of them. */
const openStates = ['unconfirmed', 'mined'] as const

type Mined = Omit<MinedTransaction, 'entityId'>

/** Stores in which blocks transactions were mined, and what that means so far. */
export async function recordMined(
  trx: Database,
  mined: Mined[],
  status: 'mined' | 'confirmed' | 'reverted',
): Promise<void> {
  await reopen(
    trx,
    mined.map(({ id }) => id),
  )
  await sql`update transactions t set status = ${status}, ${minedAt}, updated_at = clock_timestamp()
    from ${minedRows(mined)} where t.id = mined.id`.execute(trx)
}

/** What an update of transactions sets from {@link minedRows}. */
export const minedAt = sql`mined_hash = mined.hash, block_number = mined.block_number,
  block_hash = mined.block_hash, is_final = false, receipt_checks = 0, error = null`

/** Rows `mined`: transactions and the blocks in which they were mined. */
export function minedRows(mined: Mined[]) {
  return sql`unnest(${mined.map(({ id }) => id)}::bigint[], ${mined.map(({ hash }) => hash)}::text[],
    ${mined.map(({ blockNumber }) => blockNumber)}::bigint[], ${mined.map(({ blockHash }) => blockHash)}::text[])
    as mined (id, hash, block_number, block_hash)`
}

/**
 * The receipt is gone: the transaction has to be mined again, with the same nonce and the same bytes. The hash that was
 * mined is kept, so that its bytes are sent first, and the age at which fees are raised counts from now.
 */
export async function recordVanished(trx: Database, id: number): Promise<void> {
  await unconfirm(trx, [id]).execute()
}

async function reopen(trx: Database, ids: number[]): Promise<void> {
  await unconfirm(trx, ids).where('status', 'not in', openStates).execute()
}

function unconfirm(trx: Database, ids: number[]) {
  return trx
    .updateTable('transactions')
    .set({
      status: 'unconfirmed',
      vanished_hash: sql<string>`mined_hash`,
      vanished_at: sql<Date>`clock_timestamp()`,
      ...nowhere,
      receipt_checks: 0,
      ...touched,
    })
    .where('id', 'in', ids)
}

/** Transactions of a lane in these blocks are final: no tick loads them any more. @throws LeaseLostError */
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

/**
 * Counts a search for the receipt of a transaction whose nonce is used, at most one in `pauseSeconds`. Returns how many
 * there were; 0 where this one does not count.
 */
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

/** A person has to decide. Until then the transaction is only watched, in case a receipt of ours appears after all. */
export async function recordStuck(trx: Database, id: number, why: string): Promise<void> {
  await reopen(trx, [id])
  await trx
    .updateTable('transactions')
    .set({ status: 'needs_operator', ...nowhere, error: why, ...touched })
    .where('id', '=', id)
    .execute()
}

/** Gives a transaction up: another one has used its nonce, and nothing is lost by that. */
export async function recordAbandoned(trx: Database, id: number, why: string): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({ status: 'abandoned', error: why, ...touched })
    .where('id', '=', id)
    .execute()
}

/** Transactions were checked and nothing new was found: they are due again after a pause. */
export async function recordUnchanged(trx: Database, ids: number[]): Promise<void> {
  await trx.updateTable('transactions').set(touched).where('id', 'in', ids).execute()
}
