import { type Selectable, sql, type UpdateObject } from 'kysely'
import type { Address, Hash } from 'viem'
import type { Database } from '../../db/client.ts'
import type { DB, Payments, Trades } from '../../db/generated/tables.ts'
import {
  acquireLease,
  heldBy,
  LeaseLostError,
  leaseExpired,
  leases,
  nextFence,
  releaseLease,
  renewLease,
} from '../../db/lease.ts'
import { inTransaction } from '../../db/transaction.ts'

/** A block. */
export interface BlockId {
  block: number
  hash: Hash
}

/** The right to read the logs of a chain, and how far they are read. Every write proves it by the fence. */
export interface FollowerLease {
  chainId: number
  fence: number
  /** The last final block whose logs are stored; null before the first read. */
  cursor: BlockId | null
  /** The newest block whose logs this database has; null before the first read. */
  head: number | null
  /** The platform wallets whose payments count, in lower case. */
  wallets: Address[]
}

/** Creates the row of a chain unless it exists, and adds a platform wallet to it. */
export async function openFollower(db: Database, chainId: number, wallet: Address): Promise<void> {
  await sql`insert into followers (chain_id, wallets)
    select ${chainId}, array(select distinct lower(platform_wallet) from payouts where chain_id = ${chainId})
    where not exists (select from followers where chain_id = ${chainId}) on conflict do nothing`.execute(db)
  await sql`update followers set wallets = wallets || ${wallet}::text
    where chain_id = ${chainId} and not wallets @> array[${wallet}::text]`.execute(db)
}

/** Acquires or keeps the lease; undefined while another process holds it or the chain has no row. */
export async function acquireFollower(
  db: Database,
  { chainId, owner, seconds }: { chainId: number; owner: string; seconds: number },
): Promise<FollowerLease | undefined> {
  const isKept = sql`${heldBy(leases.followers, owner)} and not ${leaseExpired('lease_until')}`
  const { rows } = await acquireLease<FollowerLease>(leases.followers, {
    rows: sql`chain_id = ${chainId}`,
    holder: owner,
    seconds,
    set: sql`fence = case when ${isKept} then fence else ${nextFence} end`,
    returning: sql`chain_id as "chainId", fence, wallets, head_block as head, case when block_number is not null
      then jsonb_build_object('block', block_number, 'hash', block_hash) end as cursor`,
  }).execute(db)
  return rows[0]
}

/** Renews the lease for another `seconds`; nothing happens when it is lost. */
export function renewFollower(db: Database, lease: FollowerLease, seconds: number): Promise<boolean> {
  const held = sql`chain_id = ${lease.chainId} and fence = ${lease.fence}`
  return renewLease(db, leases.followers, held, seconds)
}

/** Releases the lease of a process. */
export function releaseFollower(db: Database, owner: string): Promise<void> {
  return releaseLease(db, leases.followers, heldBy(leases.followers, owner))
}

/** What tells an event from every other one of its chain. */
export type Place = Pick<Selectable<Payments>, 'block_number' | 'block_hash' | 'log_index'>

/** The places of the stored events of the blocks `from` to `to`. */
export async function storedPlaces(
  db: Database,
  chainId: number,
  from: number,
  to: number,
): Promise<Place[]> {
  const ofTable = (table: 'payments' | 'trades') =>
    db
      .selectFrom(table)
      .select(['block_number', 'block_hash', 'log_index'])
      .where('chain_id', '=', chainId)
      .where('block_number', '>=', from)
      .where('block_number', '<=', to)
  return ofTable('payments').unionAll(ofTable('trades')).execute()
}

/** What a read has found out. */
export interface Changes {
  payments: Selectable<Payments>[]
  trades: Selectable<Trades>[]
  /** Stored events that are no longer on the chain. */
  gone: Place[]
}

/**
 * Stores changes in one transaction that only the holder of the lease can commit; with `progress` also how far the logs
 * are now read. Events that are stored already stay as they are.
 * @throws LeaseLostError
 */
export async function storeChanges(
  db: Database,
  lease: FollowerLease,
  { payments, trades, gone }: Changes,
  progress?: { cursor: BlockId; head: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await updateFollower(trx, lease, {
      fence: lease.fence,
      ...(progress && {
        block_number: progress.cursor.block,
        block_hash: progress.cursor.hash,
        head_block: progress.head,
      }),
    })
    for (const [name, rows] of Object.entries({ payments, trades })) {
      const table = sql.table(name)
      if (gone.length > 0)
        await sql`delete from ${table} e using jsonb_populate_recordset(null::${table}, ${JSON.stringify(gone)}) gone
          where e.chain_id = ${lease.chainId} and e.block_number = gone.block_number
            and e.log_index = gone.log_index and e.block_hash = gone.block_hash`.execute(trx)
      // Named, so that a column of a later version gets its default.
      const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
      if (rows.length > 0)
        await sql`insert into ${table} (${columns})
          select ${columns} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)})
          on conflict do nothing`.execute(trx)
    }
  })
}

/** Stores that the logs of the newest block are stored. @throws LeaseLostError */
export function markCaughtUp(db: Database, lease: FollowerLease): Promise<void> {
  return updateFollower(db, lease, { caught_up_at: sql<Date>`clock_timestamp()` })
}

/** Writes to the row that the lease is for, and locks it. @throws LeaseLostError */
async function updateFollower(
  db: Database,
  { chainId, fence }: FollowerLease,
  set: UpdateObject<DB, 'followers'>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('followers')
    .set(set)
    .where('chain_id', '=', chainId)
    .where('fence', '=', fence)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLostError(`another process reads the logs of chain ${chainId}`)
}
