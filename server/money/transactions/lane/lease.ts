import { sql } from 'kysely'
import type { Database } from '../../../db/client.ts'
import {
  acquireLease,
  heldBy,
  inSeconds,
  LeaseLostError,
  leaseExpired,
  leases,
  nextFence,
  releaseLease,
  renewLease,
} from '../../../db/lease.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { LaneLease } from '../types.ts'

/** Creates the lane of a key unless it exists; its first nonce is `nonce`. */
export async function openLane(
  db: Database,
  lane: { chainId: number; address: string; nonce: number },
): Promise<void> {
  await db
    .insertInto('lanes')
    .values({ chain_id: lane.chainId, address: lane.address.toLowerCase(), next_nonce: lane.nonce })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether the key has a lane. */
export async function isLaneOpen(db: Database, chainId: number, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('lanes')
    .select('next_nonce')
    .where('chain_id', '=', chainId)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}

/**
 * A statement that acquires or keeps the lease of a lane and returns its `fence` and `next_nonce`; no row while another
 * process holds it. The fence rises only when the lane changes hands or was released, so a process that slept through its
 * lease is refused when it wakes.
 */
export function acquireLane(lane: { chainId: number; address: string; owner: string; seconds: number }) {
  const isKept = sql`${heldBy(leases.lanes, lane.owner)} and not ${leaseExpired('lease_until')}`
  return acquireLease<{ fence: number; next_nonce: number }>(leases.lanes, {
    rows: sql`chain_id = ${lane.chainId} and address = ${lane.address}`,
    holder: lane.owner,
    seconds: lane.seconds,
    set: sql`fence = case when ${isKept} then fence else ${nextFence} end`,
    returning: sql`fence, next_nonce`,
  })
}

/** Renews the lease of a lane for another `seconds`; nothing happens when it is lost. */
export function renewLane(db: Database, lease: LaneLease, seconds: number): Promise<boolean> {
  const held = sql`chain_id = ${lease.chainId} and address = ${lease.address} and fence = ${lease.fence}`
  return renewLease(db, leases.lanes, held, seconds)
}

/** Releases the lanes of a process, or one of them, so that others need not wait for the leases to expire. */
export function releaseLanes(db: Database, owner: string, address?: string): Promise<void> {
  const ofLane = address === undefined ? sql`` : sql`and address = ${address}`
  // The end of the last lease says since when nobody serves a lane; see listOrphaned.
  return releaseLease(db, leases.lanes, sql`${heldBy(leases.lanes, owner)} ${ofLane}`, inSeconds(0))
}

/** Condition: a row of `lanes` has unfinished transactions. It is written to fit the partial indexes. */
const hasWork = sql<boolean>`(
  exists (select from transactions t where t.chain_id = lanes.chain_id and t.from_address = lanes.address
    and t.nonce is not null and not t.is_final and t.status not in ('refused', 'abandoned'))
  or exists (select from transactions t where t.chain_id = lanes.chain_id and t.from_address = lanes.address
    and t.status = 'queued'))`

/**
 * Whether a chain has transactions that lanes send, or watch for their outcomes. It is written to fit the partial indexes.
 * What counts and only has to become final is left to the ticks with which an idle lane keeps its lease.
 */
export const hasUnfinished = (chainId: number) => sql`
  exists (select from transactions where chain_id = ${chainId} and status = 'queued')
  or exists (select from transactions where chain_id = ${chainId} and nonce is not null and not is_final
    and status not in ('confirmed', 'refused', 'abandoned'))`

/** Lanes with unfinished transactions, of keys other than `ours`, that no process has served for `seconds`. */
export async function listOrphaned(
  db: Database,
  lanes: { chainId: number; ours: string[]; seconds: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('lanes')
    .select('address')
    .where('chain_id', '=', lanes.chainId)
    .where((where) => where.not(where('address', 'in', ['', ...lanes.ours])))
    .where(leaseExpired('lease_until', lanes.seconds))
    .where(hasWork)
    .execute()
  return rows.map((row) => row.address)
}

/**
 * Runs `work` in one transaction that only the holder of the lease can commit. Nothing else proves a lease: every write of
 * a tick is such a transaction. @throws LeaseLostError
 */
export async function underLease<Output>(
  db: Database,
  lease: LaneLease,
  work: (trx: Database) => Promise<Output>,
): Promise<Output> {
  return inTransaction(db, async (trx) => {
    const held = await trx
      .selectFrom('lanes')
      .select('fence')
      .where('chain_id', '=', lease.chainId)
      .where('address', '=', lease.address)
      .where('fence', '=', lease.fence)
      .forUpdate()
      .executeTakeFirst()
    if (!held) throw new LeaseLostError(`another process serves lane ${lease.address}`)
    return work(trx)
  })
}

/** Stores that all nonces below `nonce` are used: the next transaction gets a later one. @throws LeaseLostError */
export async function bookNonces(db: Database, lease: LaneLease, nonce: number): Promise<void> {
  await underLease(db, lease, (trx) =>
    trx
      .updateTable('lanes')
      .set({ next_nonce: sql<number>`greatest(next_nonce, ${nonce})` })
      .where('chain_id', '=', lease.chainId)
      .where('address', '=', lease.address)
      .execute(),
  )
}

/**
 * Gives out `count` nonces in the caller's transaction under the lease.
 * @throws LeaseLostError when `first` is no longer the next one because the database fell back
 */
export async function takeNonces(
  trx: Database,
  lease: LaneLease,
  first: number,
  count: number,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('lanes')
    .set({ next_nonce: first + count })
    .where('chain_id', '=', lease.chainId)
    .where('address', '=', lease.address)
    .where('next_nonce', '=', first)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLostError(`another process serves lane ${lease.address}`)
}
