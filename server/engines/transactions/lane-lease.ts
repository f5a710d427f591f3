import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { leaseExpired } from '../../db/lease.ts'
import { againAfterConflict, inSeconds, inTransaction } from '../../db/transaction.ts'

/** The right to send for one operator key, proved at every write by its fence. */
export interface LaneLease {
  chainId: number
  /** Lower case. */
  address: string
  fence: number
}

/** Thrown when another process has taken the lane over; whoever held it must stop at once. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** Makes sure there is a lane for the key, starting at the nonce the chain names. */
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

/** Whether there is a lane for the key. */
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
 * A statement that takes or keeps the lease of a lane and returns its `fence` and `next_nonce`; no row while another
 * process holds it. The fence rises only when the lane changes hands or was let go, so a process that slept through its
 * lease is refused when it wakes.
 */
export function leaseTaken(lane: { chainId: number; address: string; owner: string; seconds: number }) {
  const mine = sql<boolean>`lease_owner = ${lane.owner}`
  return sql<{ fence: number; next_nonce: number }>`
    update lanes set
      fence = case when ${mine} and not ${leaseExpired('lease_until')} then fence else fence + 1 end,
      lease_owner = ${lane.owner}, lease_until = ${inSeconds(lane.seconds)}
    where chain_id = ${lane.chainId} and address = ${lane.address} and (${mine} or ${leaseExpired('lease_until')})
    returning fence, next_nonce`
}

/**
 * Runs `work` and prolongs the lease meanwhile, since a turn on a slow node may last longer than a lease. A process
 * that is stopped prolongs nothing and is fenced off as ever.
 */
export async function whileRenewing<Output>(
  db: Database,
  lease: LaneLease,
  seconds: number,
  work: () => Promise<Output>,
): Promise<Output> {
  const timer = setInterval(() => renewLease(db, lease, seconds).catch(() => undefined), seconds * 333)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

async function renewLease(db: Database, lease: LaneLease, seconds: number): Promise<void> {
  await db
    .updateTable('lanes')
    .set({ lease_until: inSeconds(seconds) })
    .where('chain_id', '=', lease.chainId)
    .where('address', '=', lease.address)
    .where('fence', '=', lease.fence)
    .where('lease_owner', 'is not', null)
    .execute()
}

/** Lets the lanes of a process go at once, or one of them, so that one that stops does not hold up the others. */
export async function releaseLeases(db: Database, owner: string, address?: string): Promise<void> {
  let query = db
    .updateTable('lanes')
    .set({ lease_owner: null, lease_until: sql`clock_timestamp()` })
    .where('lease_owner', '=', owner)
  if (address !== undefined) query = query.where('address', '=', address)
  await query.execute()
}

/** Condition: a row of `lanes` has transactions left; those that are over are in no index that this goes by. */
const hasWork = sql<boolean>`(
  exists (select from transactions t where t.chain_id = lanes.chain_id and t.from_address = lanes.address
    and t.nonce is not null and not t.is_final and t.status not in ('refused', 'abandoned'))
  or exists (select from transactions t where t.chain_id = lanes.chain_id and t.from_address = lanes.address
    and t.status = 'queued'))`

/** Lanes with work left, of keys that are not `ours`, which no process has served for `seconds`. */
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

/** Runs `work` in one transaction that only the holder of the lease can commit. @throws LeaseLostError */
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
    if (!held) throw new LeaseLostError(`lane ${lease.address} has changed hands`)
    return work(trx)
  })
}

/** Nonces below `nonce` are used up: the next transaction gets a later one. @throws LeaseLostError */
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

/** A query for the lane's row, locked until the statement it is part of has ended; no row where the lease is lost. */
export function laneHeld(lease: LaneLease, nextNonce?: number) {
  const isNext = nextNonce === undefined ? sql`` : sql`and next_nonce = ${nextNonce}`
  return sql`select chain_id, address from lanes
    where chain_id = ${lease.chainId} and address = ${lease.address} and fence = ${lease.fence} ${isNext} for update`
}

/**
 * Runs one statement that is a transaction of its own and writes only where {@link laneHeld} finds the lane; its one
 * row says so in `held`. @throws LeaseLostError
 */
export async function writeUnderLease<Row extends { held: boolean }>(
  db: Database,
  lease: LaneLease,
  statement: RawBuilder<Row>,
): Promise<Row> {
  const { rows } = await againAfterConflict(() => statement.execute(db))
  const [row] = rows
  if (!row?.held) throw new LeaseLostError(`lane ${lease.address} has changed hands`)
  return row
}
