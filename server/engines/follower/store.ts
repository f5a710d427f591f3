import { sql } from 'kysely'
import type { Address, Hash } from 'viem'
import type { Database } from '../../db/client.ts'
import {
  acquireLease,
  heldBy,
  LeaseLostError,
  leaseExpired,
  leases,
  releaseLease,
  renewLease,
} from '../../db/lease.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { PaymentEvent, Place, TradeEvent } from './events.ts'

/** A block. */
export interface BlockId {
  block: number
  hash: Hash
}

/** The right to read the logs of a chain, and how far they are read. Every write proves it by the fence. */
export interface FollowerLease {
  chainId: number
  fence: number
  /** The last final block whose logs are stored for good; null before the first read. */
  cursor: BlockId | null
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
  const { rows } = await acquireLease<{
    fence: number
    wallets: Address[]
    block: number | null
    hash: Hash | null
  }>(leases.followers, {
    rows: sql`chain_id = ${chainId}`,
    holder: owner,
    seconds,
    set: sql`fence = case when ${isKept} then fence else fence + 1 end`,
    returning: sql`fence, wallets, block_number as block, block_hash as hash`,
  }).execute(db)
  const [row] = rows
  if (!row) return undefined
  const { fence, wallets, block, hash } = row
  return { chainId, fence, wallets, cursor: block === null || hash === null ? null : { block, hash } }
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

/** What tells a stored event from every other one of its chain. */
export type StoredPlace = Pick<Place, 'blockNumber' | 'blockHash' | 'logIndex'>

/** The places of the stored events of the blocks `from` to `to`. */
export async function storedPlaces(
  db: Database,
  chainId: number,
  from: number,
  to: number,
): Promise<StoredPlace[]> {
  const range = sql`chain_id = ${chainId} and block_number between ${from} and ${to}`
  const { rows } = await sql<StoredPlace>`
    select block_number as "blockNumber", block_hash as "blockHash", log_index as "logIndex" from payments where ${range}
    union all select block_number, block_hash, log_index from trades where ${range}`.execute(db)
  return rows
}

/** What a read has found out. */
export interface Changes {
  payments: (PaymentEvent & { time: Date })[]
  trades: (TradeEvent & { time: Date; price: bigint })[]
  /** Stored events that are no longer on the chain. */
  gone: StoredPlace[]
  /** How far the logs are now read. */
  progress?: { cursor: BlockId; head: number }
}

/** Stores changes in one transaction that only the holder of the lease can commit. @throws LeaseLostError */
export async function storeChanges(db: Database, lease: FollowerLease, changes: Changes): Promise<void> {
  const { chainId } = lease
  const { payments, trades, gone, progress } = changes
  await inTransaction(db, async (trx) => {
    await lockUnderLease(trx, lease)
    for (const table of gone.length > 0 ? (['payments', 'trades'] as const) : [])
      await sql`delete from ${sql.table(table)} where chain_id = ${chainId}
        and (block_number, log_index, block_hash) in (select * from unnest(
          ${gone.map((place) => place.blockNumber)}::bigint[],
          ${gone.map((place) => place.logIndex)}::int[],
          ${gone.map((place) => place.blockHash)}::text[]))`.execute(trx)
    for (const part of partsOf(payments))
      await trx
        .insertInto('payments')
        .values(part.map((payment) => paymentRow(chainId, payment)))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    for (const part of partsOf(trades))
      await trx
        .insertInto('trades')
        .values(part.map((trade) => tradeRow(chainId, trade)))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    if (!progress) return
    const { cursor, head } = progress
    await trx
      .updateTable('followers')
      .set({ block_number: cursor.block, block_hash: cursor.hash, head_block: head })
      .where('chain_id', '=', chainId)
      .execute()
  })
}

async function lockUnderLease(trx: Database, { chainId, fence }: FollowerLease): Promise<void> {
  const held = await trx
    .selectFrom('followers')
    .select('fence')
    .where('chain_id', '=', chainId)
    .where('fence', '=', fence)
    .forUpdate()
    .executeTakeFirst()
  if (!held) throw new LeaseLostError(`another process reads the logs of chain ${chainId}`)
}

/** Stores that the logs of the newest block are stored. */
export async function markCaughtUp(db: Database, { chainId, fence }: FollowerLease): Promise<void> {
  await db
    .updateTable('followers')
    .set({ caught_up_at: sql<Date>`clock_timestamp()` })
    .where('chain_id', '=', chainId)
    .where('fence', '=', fence)
    .execute()
}

/** Rows of one insert: a statement takes at most 65,535 values. */
const rowsAtOnce = 1000

function* partsOf<Row>(rows: Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce)
}

function placeRow(chainId: number, place: Place & { time: Date }) {
  return {
    chain_id: chainId,
    block_number: place.blockNumber,
    block_hash: place.blockHash,
    log_index: place.logIndex,
    block_time: place.time,
    tx_hash: place.txHash,
  }
}

function paymentRow(chainId: number, payment: Changes['payments'][number]) {
  return {
    ...placeRow(chainId, payment),
    platform_wallet: payment.platformWallet,
    payout_id: payment.payoutId,
    token: payment.token,
    from_address: payment.from,
    to_address: payment.to,
    amount: String(payment.amount),
    fee: String(payment.fee),
  }
}

function tradeRow(chainId: number, trade: Changes['trades'][number]) {
  const { curve, side, trader, recipient } = trade
  return {
    ...placeRow(chainId, trade),
    curve,
    side,
    trader,
    recipient,
    amount: String(trade.amount),
    eth: String(trade.eth),
    fee: String(trade.fee),
    sold: String(trade.sold),
    price: String(trade.price),
  }
}
