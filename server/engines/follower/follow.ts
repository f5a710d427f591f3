import type { Hash } from 'viem'
import { blockBefore } from '../../chain/block-time.ts'
import type { Chain } from '../../chain/chain.ts'
import { depthBelow } from '../../chain/finality.ts'
import { narrowestWindow, windowsForward } from '../../chain/log-windows.ts'
import { LeaseLostError } from '../../db/lease.ts'
import type { FollowContext } from './context.ts'
import { findKnownCurves, firstProjectAt, followNewCurves } from './curves.ts'
import { readBlocks, withDetails } from './details.ts'
import { type Events, readPayments, readTrades } from './events.ts'
import {
  type BlockId,
  type Changes,
  type FollowerLease,
  markCaughtUp,
  storeChanges,
  storedPlaces,
} from './store.ts'
import { alarmUnknown } from './unknown-payments.ts'

/**
 * One tick of the follower, by the holder of its lease: reads the logs from the last final block to the head and replaces
 * what is stored of these blocks, so that a reorganisation needs no treatment of its own.
 * @throws LeaseLostError, or the node's error; the next tick then continues with the last stored window
 */
export async function follow(context: FollowContext, lease: FollowerLease): Promise<void> {
  const { db, chain, finality, memory } = context
  const head = await chain.client.getBlock()
  const number = Number(head.number)
  const { stored } = memory
  if (stored?.head === head.hash && stored.fence === lease.fence) return markCaughtUp(db, lease)
  const { final } = await depthBelow(chain.client, number, finality)
  const cursor = await findCursor(context, lease, { head: number, final })
  // A node that is behind the cursor has nothing to add.
  if (!cursor) return
  try {
    await followNewCurves(context, lease, cursor)
    if (!(await followWindows(context, lease, cursor, { head: { block: number, hash: head.hash }, final })))
      return
  } catch (error) {
    // No trade, and nobody who forges trades, keeps the alarm of a payment from being raised.
    if (!(error instanceof LeaseLostError)) await checkPayments(context, lease, cursor.block, number)
    throw error
  }
  memory.stored = { head: head.hash, fence: lease.fence }
  await markCaughtUp(db, lease)
}

/** Stores the changes of the blocks from the cursor to the head; false when the head has changed meanwhile. */
async function followWindows(
  context: FollowContext,
  lease: FollowerLease,
  cursor: BlockId,
  { head, final }: { head: BlockId; final: number },
): Promise<boolean> {
  const { db, chain, alarm } = context
  const windows = windowsForward((from, to) => readWindow(context, lease, from, to), cursor.block, head.block)
  for await (const { from, to, found } of windows) {
    const changes = await compare(context, lease, found, from, to)
    const next = await blockAt(chain, Math.max(cursor.block, Math.min(to, final)))
    // The hash of a block fixes all blocks before it. Where it has changed, the window may mix two chains.
    if ((await blockAt(chain, head.block)).hash !== head.hash) return false
    await alarmUnknown(db, chain.id, alarm, found.payments)
    await storeChanges(db, lease, { ...changes, progress: { cursor: next, head: to } })
  }
  return true
}

/** Raises the alarm for unknown payments of the blocks `first` to `head`, and stores nothing. */
async function checkPayments(
  { db, chain, alarm }: FollowContext,
  { wallets }: FollowerLease,
  first: number,
  head: number,
): Promise<void> {
  const read = (from: number, to: number) => readPayments(chain.client, from, to, wallets)
  for await (const { found } of windowsForward(read, first, head))
    await alarmUnknown(db, chain.id, alarm, found)
}

/** The block from which to read on; undefined while the node is behind it. */
async function findCursor(
  { db, chain, log }: FollowContext,
  { cursor }: FollowerLease,
  { head, final }: { head: number; final: number },
): Promise<BlockId | undefined> {
  if (cursor && head < cursor.block) return undefined
  if (cursor && (await blockAt(chain, cursor.block)).hash === cursor.hash) return cursor
  // Read after the head: without a project, whatever is created from now on comes after it.
  const since = await firstProjectAt(db)
  const start = since ? await blockBefore(chain.client, head, since) : Math.max(0, final)
  if (cursor)
    log.warn(
      { block: cursor.block, start },
      'a block whose logs counted as final is gone: reading all logs again',
    )
  return blockAt(chain, start)
}

async function blockAt({ client }: Chain, block: number): Promise<BlockId> {
  const { hash } = await client.getBlock({ blockNumber: BigInt(block) })
  return { block, hash }
}

/** The events of known contracts. */
async function readWindow(
  { db, chain }: FollowContext,
  { wallets }: FollowerLease,
  from: number,
  to: number,
): Promise<Events> {
  const payments = await readPayments(chain.client, from, to, wallets)
  const trades = await readTrades(chain.client, from, to).catch(async (error) => {
    if (to - from >= narrowestWindow) throw error
    // Strangers can fill a block with events of these names, until a node refuses to list them all.
    return readTrades(chain.client, from, to, await findKnownCurves(db))
  })
  const curves = new Set(trades.map(({ curve }) => curve))
  const known = new Set(curves.size > 0 ? await findKnownCurves(db, [...curves]) : [])
  return { payments, trades: trades.filter(({ curve }) => known.has(curve)) }
}

/**
 * What differs between these events and those that are stored of the blocks `from` to `to`. A stored event is gone only
 * when its block is: stored events of blocks above the head stay until there is another block at their height.
 * @throws when the node leaves out a stored event of a block that is still on the chain
 */
async function compare(
  context: FollowContext,
  { chainId }: FollowerLease,
  found: Events,
  from: number,
  to: number,
): Promise<Changes> {
  const key = (place: { blockHash: Hash; logIndex: number }) => `${place.blockHash} ${place.logIndex}`
  const stored = await storedPlaces(context.db, chainId, from, to)
  const known = new Set(stored.map(key))
  const present = new Set([...found.payments, ...found.trades].map(key))
  const isNew = (event: Events['payments' | 'trades'][number]) => !known.has(key(event))
  const fresh = { payments: found.payments.filter(isNew), trades: found.trades.filter(isNew) }
  const gone = stored.filter((place) => !present.has(key(place)))
  const blocks = await readBlocks(context.chain, gone)
  const leftOut = gone.find((place) => blocks.get(place.blockNumber)?.hash === place.blockHash)
  if (leftOut) throw new Error(`the node leaves out logs of block ${leftOut.blockNumber}`)
  return { ...(await withDetails(context, fresh)), gone }
}
