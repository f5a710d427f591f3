import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { inSeconds, inTransaction } from '../db/transaction.ts'

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

/**
 * Takes or keeps the lease of a lane; undefined while another process holds it. The fence rises only when the lane
 * changes hands or was let go, so a process that slept through its lease is refused when it wakes.
 */
export async function takeLease(
  db: Database,
  lane: { chainId: number; address: string; owner: string; seconds: number },
): Promise<LaneLease | undefined> {
  const address = lane.address.toLowerCase()
  const row = await db
    .updateTable('lanes')
    .set({
      fence: sql`case when lease_owner = ${lane.owner} and lease_until > clock_timestamp() then fence else fence + 1 end`,
      lease_owner: lane.owner,
      lease_until: inSeconds(lane.seconds),
    })
    .where('chain_id', '=', lane.chainId)
    .where('address', '=', address)
    .where((where) =>
      where.or([
        where('lease_owner', '=', lane.owner),
        where('lease_until', '<=', sql<Date>`clock_timestamp()`),
      ]),
    )
    .returning('fence')
    .executeTakeFirst()
  return row && { chainId: lane.chainId, address, fence: row.fence }
}

/** Lets a lane go at once, so that a process that stops does not hold up the others. */
export async function releaseLeases(db: Database, owner: string): Promise<void> {
  await db
    .updateTable('lanes')
    .set({ lease_owner: null, lease_until: sql`'-infinity'` })
    .where('lease_owner', '=', owner)
    .execute()
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
