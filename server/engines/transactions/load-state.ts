import { type RawBuilder, sql } from 'kysely'
import type { Address, Hash, Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { againAfterConflict } from '../../db/transaction.ts'
import { type LaneLease, leaseTaken } from './lane-lease.ts'
import { queuedJson, queueOrder, triedLately } from './queue.ts'
import { isDue, type TransactionRow, toLaneTransaction, transactionJson } from './store.ts'
import {
  type LaneTransaction,
  maxInFlight,
  type Purpose,
  type QueuedTransaction,
  type SettledBlock,
  type TransactionHandlers,
} from './types.ts'

/** Everything a turn of a lane needs of the database, as of one moment. */
export interface LaneState {
  lease: LaneLease
  /** The nonce the lane would use next, by our own book. */
  nextNonce: number
  /** What has a nonce and is not decided yet, or waits for a person, by nonce. */
  watched: LaneTransaction[]
  /** Blocks that hold what is decided and not yet final. */
  settled: SettledBlock[]
  /** The block of the signer's last transaction that counts as final; null where there is none. */
  lastFinal: SettledBlock | null
  /** What this lane may take, in its order; no more than fit in flight. */
  queued: QueuedTransaction[]
}

/** Whose lane it is, who looks, and which part of the queue comes first. */
export interface LaneStateQuery {
  chainId: number
  address: string
  /** The process that takes or keeps the lease, for `seconds`. */
  owner: string
  seconds: number
  share: { index: number; of: number }
  handlers: TransactionHandlers
}

/**
 * Takes or keeps the lease of a lane and reads all there is to do, in one statement; undefined while another process
 * holds the lease. A look whose fence is new has to be repeated: what it read may be older than the last write of the
 * process that had the lane before.
 */
export async function loadLaneState(db: Database, looking: LaneStateQuery): Promise<LaneState | undefined> {
  const lane = { ...looking, address: looking.address.toLowerCase() }
  const ours = sql`chain_id = ${lane.chainId} and from_address = ${lane.address} and nonce is not null`
  const details = detailsOf(looking.handlers)
  const { rows } = await againAfterConflict(() =>
    sql<LaneStateRow>`/* look */
      with lane as (${leaseTaken(lane)})
      select fence, next_nonce,
        (select coalesce(jsonb_agg(${transactionJson(details)} order by nonce), '[]') from transactions t
          where ${ours} and not is_final and status not in ('confirmed', 'reverted') and ${isDue}) as watched,
        (select coalesce(jsonb_agg(distinct jsonb_build_object('number', block_number, 'hash', block_hash)), '[]')
          from transactions where ${ours} and not is_final and status in ('confirmed', 'reverted')) as settled,
        (select jsonb_build_object('number', block_number, 'hash', block_hash) from transactions
          where ${ours} and is_final order by nonce desc limit 1) as last_final,
        (select coalesce(jsonb_agg(${queuedJson(details)} order by place), '[]') from (
          select *, row_number() over (order by ${queueOrder(looking.share)}) as place from transactions
            where chain_id = ${lane.chainId} and status = 'queued' and not ${triedLately}
              and (from_address is null or from_address = ${lane.address})
            order by place limit ${maxInFlight}) t) as queued
      from lane`.execute(db),
  )
  const [row] = rows
  if (!row) return undefined
  return {
    lease: { chainId: lane.chainId, address: lane.address, fence: row.fence },
    nextNonce: row.next_nonce,
    watched: row.watched.map(toLaneTransaction),
    settled: row.settled,
    lastFinal: row.last_final,
    queued: row.queued,
  }
}

/** What of a lane is decided, or was given up, and may yet matter: what the named blocks or nonces hold. */
export async function findDisplaced(
  db: Database,
  lease: LaneLease,
  handlers: TransactionHandlers,
  displaced: { blocks: Hash[]; nonces: number[] },
): Promise<LaneTransaction[]> {
  const { rows } = await sql<{ found: TransactionRow }>`
    select ${transactionJson(detailsOf(handlers))} as found from transactions t
    where chain_id = ${lease.chainId} and from_address = ${lease.address} and nonce is not null
      and ((block_hash = any(${displaced.blocks}) and not is_final) or nonce = any(${displaced.nonces}))
    order by nonce`.execute(db)
  return rows.map(({ found }) => toLaneTransaction(found))
}

/** What each owner wants to know of the subjects of its transactions. */
function detailsOf(handlers: TransactionHandlers): RawBuilder<unknown> {
  const branches = (Object.keys(handlers) as Purpose[]).flatMap((purpose) => {
    const { details } = handlers[purpose]
    return details ? [sql`when ${sql.lit(purpose)} then (${details(sql.ref('t.entity_id'))})`] : []
  })
  return branches.length > 0 ? sql`case t.purpose ${sql.join(branches, sql` `)} end` : sql`null`
}

interface LaneStateRow {
  fence: number
  next_nonce: number
  watched: TransactionRow[]
  settled: SettledBlock[]
  last_final: SettledBlock | null
  queued: {
    id: number
    purpose: Purpose
    entityId: string
    to: Address
    data: Hex
    isPinned: boolean
    waitsFor: string | null
    isBlocked: boolean
    details: unknown
  }[]
}
