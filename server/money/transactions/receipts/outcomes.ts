import { sql } from 'kysely'
import type { Hash, TransactionReceipt } from 'viem'
import type { Database } from '../../../db/client.ts'
import { secondsFrom } from '../../../db/lease.ts'
import { underLease } from '../lane/lease.ts'
import type { LaneLease } from '../types.ts'

const nowhere = { mined_hash: null, block_number: null, block_hash: null, is_final: false }
const touched = { updated_at: sql<Date>`clock_timestamp()` }
/** States in which nothing is decided. Every change of state starts from one of them. */
const openStates = ['unconfirmed', 'mined'] as const

/** Stores in which block a transaction was mined, and what that means so far. */
export async function recordMined(
  trx: Database,
  id: number,
  receipt: TransactionReceipt,
  status: 'mined' | 'confirmed' | 'reverted',
): Promise<void> {
  await reopen(trx, id)
  await trx
    .updateTable('transactions')
    .set({
      status,
      mined_hash: receipt.transactionHash,
      block_number: Number(receipt.blockNumber),
      block_hash: receipt.blockHash,
      is_final: false,
      receipt_checks: 0,
      error: null,
      ...touched,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * The receipt is gone: the transaction has to be mined again, with the same nonce and the same bytes. The hash that was
 * mined is kept, so that its bytes are sent first, and the age at which fees are raised counts from now.
 */
export async function recordVanished(trx: Database, id: number): Promise<void> {
  await unconfirm(trx, id).execute()
}

async function reopen(trx: Database, id: number): Promise<void> {
  await unconfirm(trx, id).where('status', 'not in', openStates).execute()
}

function unconfirm(trx: Database, id: number) {
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
    .where('id', '=', id)
}

/** Transactions of a lane in these blocks are final: no tick loads them any more. @throws LeaseLostError */
export async function recordFinal(db: Database, lease: LaneLease, blocks: Hash[]): Promise<void> {
  await underLease(db, lease, (trx) =>
    trx
      .updateTable('transactions')
      .set({ is_final: true })
      .where('chain_id', '=', lease.chainId)
      .where('from_address', '=', lease.address)
      .where('nonce', 'is not', null)
      .where('is_final', '=', false)
      .where('status', 'in', ['confirmed', 'reverted'])
      .where('block_hash', 'in', blocks)
      .execute(),
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
  await reopen(trx, id)
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
