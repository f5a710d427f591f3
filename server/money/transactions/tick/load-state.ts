import { sql } from 'kysely'
import type { Hash } from 'viem'
import type { Database } from '../../../db/client.ts'
import { againAfterConflict } from '../../../db/transaction.ts'
import type { LaneState } from '../lane/context.ts'
import { acquireLane } from '../lane/lease.ts'
import { queuedJson, queuedRows, queueOrder } from '../send/queue.ts'
import { isDue, type TransactionRow, toLaneTransaction, transactionJson } from '../store.ts'
import type { LaneLease, LaneTransaction } from '../types.ts'

/** The lane to load, the process that loads it, and the part of the queue that comes first. */
export interface LaneStateQuery {
  chainId: number
  address: string
  /** The process that acquires or keeps the lease, for `seconds`. */
  owner: string
  seconds: number
  share: { index: number; of: number }
}

type LaneStateRow = Omit<LaneState, 'lease' | 'watched'> & { fence: number; watched: TransactionRow[] }

/**
 * Acquires or keeps the lease of a lane and reads its state, in one statement; undefined while another process holds the
 * lease. A state whose fence is new has to be loaded again: it may be older than the last write of the process that had
 * the lane before.
 */
export async function loadLaneState(db: Database, query: LaneStateQuery): Promise<LaneState | undefined> {
  const lane = { ...query, address: query.address.toLowerCase() }
  const ours = sql`chain_id = ${lane.chainId} and from_address = ${lane.address} and nonce is not null`
  const { rows } = await againAfterConflict(() =>
    sql<LaneStateRow>`/* load lane state */
      with lane as (${acquireLane(lane)})
      select fence, next_nonce as "nextNonce",
        (select coalesce(jsonb_agg(${transactionJson} order by nonce), '[]') from transactions t
          where ${ours} and not is_final and status not in ('confirmed', 'reverted') and ${isDue}) as watched,
        (select coalesce(jsonb_agg(distinct jsonb_build_object('number', block_number, 'hash', block_hash)), '[]')
          from transactions where ${ours} and not is_final and status in ('confirmed', 'reverted')) as settled,
        (select jsonb_build_object('number', block_number, 'hash', block_hash) from transactions
          where ${ours} and is_final order by nonce desc limit 1) as "lastFinal",
        (select coalesce(jsonb_agg(${queuedJson} order by ${queueOrder}), '[]')
          from (${queuedRows(lane, query.share)}) t) as queued
      from lane`.execute(db),
  )
  const [row] = rows
  if (!row) return undefined
  const { fence, watched, ...state } = row
  const lease = { chainId: lane.chainId, address: lane.address, fence }
  return { ...state, lease, watched: watched.map(toLaneTransaction) }
}

/** Transactions of a lane in these blocks that are not final, and all with these nonces. */
export async function findDisplaced(
  db: Database,
  lease: LaneLease,
  displaced: { blocks: Hash[]; nonces: number[] },
): Promise<LaneTransaction[]> {
  const { rows } = await sql<{ found: TransactionRow }>`
    select ${transactionJson} as found from transactions t
    where chain_id = ${lease.chainId} and from_address = ${lease.address} and nonce is not null
      and ((block_hash = any(${displaced.blocks}) and not is_final) or nonce = any(${displaced.nonces}))
    order by nonce`.execute(db)
  return rows.map(({ found }) => toLaneTransaction(found))
}
