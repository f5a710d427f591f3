import { blockBefore } from '../../chain/block-time.ts'
import type { Chain } from '../../chain/chain.ts'
import { depthBelow } from '../../chain/finality.ts'
import { expectLogsOf, logWindows, narrowestWindow } from '../../chain/log-windows.ts'
import { LeaseLostError } from '../../db/lease.ts'
import { changesBetween } from './changes.ts'
import type { FollowContext } from './context.ts'
import { findKnownCurves, firstProjectAt, followNewCurves } from './curves.ts'
import { type Events, readPayments, readTrades } from './events.ts'
import { type BlockId, type FollowerLease, markCaughtUp, storeChanges, storedPlaces } from './store.ts'
import { alarmUnknown } from './unknown-payments.ts'

/** The newest block of a tick. */
type Head = BlockId & { time: bigint }

/**
 * One tick of the follower, by the holder of its lease: reads the logs from the cursor to the head and replaces what is
 * stored of these blocks, so that a reorganisation needs no treatment of its own.
 *
 * The cursor passes a block only once it is final and its logs were read `settleSeconds` after it was made, by the chain's
 * time: a node whose logs end less than that before its newest block delays a payment or trade, and cannot hide it.
 * @throws LeaseLostError, or the node's error; the next tick then continues with the last stored window
 */
export async function follow(context: FollowContext, lease: FollowerLease): Promise<void> {
  const { db, chain, finality, memory } = context
  const { number, hash, timestamp: time } = await chain.client.getBlock()
  const head = { block: Number(number), hash, time }
  const { stored } = memory
  // A database that fell back may lack logs up to a head that this process has stored.
  const isStored = stored?.head === hash && stored.fence === lease.fence && lease.head === head.block
  if (isStored) return markCaughtUp(db, lease)
  const { final } = await depthBelow(chain.client, head.block, finality)
  const cursor = await findCursor(context, lease, head.block, final)
  // A node that is behind the cursor has nothing to add.
  if (!cursor) return
  try {
    await expectLogsOf(chain.client, hash)
    await followNewCurves(context, lease, cursor)
    if (!(await followWindows(context, lease, cursor, { head, final }))) return
  } catch (error) {
    // No trade, and nobody who forges trades, keeps the alarm of a payment from being raised.
    if (!(error instanceof LeaseLostError)) await checkPayments(context, lease, cursor.block, head.block)
    throw error
  }
  memory.stored = { head: hash, fence: lease.fence }
  await markCaughtUp(db, lease)
}

/** Stores the changes of the blocks from the cursor to the head; false when the head has changed meanwhile. */
async function followWindows(
  context: FollowContext,
  lease: FollowerLease,
  cursor: BlockId,
  { head, final }: { head: Head; final: number },
): Promise<boolean> {
  const { db, chain } = context
  const windows = logWindows((from, to) => readWindow(context, lease, from, to), cursor.block, head.block)
  for await (const { from, to, found } of windows) {
    const changes = await changesBetween(chain, await storedPlaces(db, chain.id, from, to), found)
    const next = await settledBlock(context, cursor, Math.min(to, final), head)
    // The hash of a block fixes all blocks before it. Where it has changed, the window may mix two chains.
    if ((await blockAt(chain, head.block)).hash !== head.hash) return false
    await alarmUnknown(context, found.payments)
    await storeChanges(db, lease, changes, { cursor: next, head: to })
  }
  return true
}

/** Raises the alarm for unknown payments of the blocks `first` to `head`, and stores nothing. */
async function checkPayments(
  context: FollowContext,
  { wallets }: FollowerLease,
  first: number,
  head: number,
): Promise<void> {
  const read = (from: number, to: number) => readPayments(context.chain, wallets, from, to)
  for await (const { found } of logWindows(read, first, head)) await alarmUnknown(context, found)
}

/** The block from which to read on; undefined while the node is behind it. */
async function findCursor(
  { db, chain, log }: FollowContext,
  { cursor }: FollowerLease,
  head: number,
  final: number,
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

/** The newest of the blocks from the cursor to `newest` that is found to be settled at the time of `head`. */
async function settledBlock(
  { chain, settleSeconds }: FollowContext,
  cursor: BlockId,
  newest: number,
  head: Head,
): Promise<BlockId> {
  const settled = head.time - BigInt(settleSeconds)
  const { timestamp: first } = await chain.client.getBlock({ blockNumber: BigInt(cursor.block) })
  // As if the blocks since the cursor had come at one pace.
  const pace = (head.block - cursor.block) / Math.max(1, Number(head.time - first))
  const guess = head.block - Math.ceil(settleSeconds * pace)
  for (let block = Math.min(newest, guess); block > cursor.block; ) {
    const { timestamp, hash } = await chain.client.getBlock({ blockNumber: BigInt(block) })
    if (timestamp <= settled) return { block, hash }
    block = Math.floor((cursor.block + block) / 2)
  }
  return cursor
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
  const payments = await readPayments(chain, wallets, from, to)
  const trades = await readTrades(chain, from, to).catch(async (error) => {
    if (to - from >= narrowestWindow) throw error
    // Other contracts can fill a block with events of these names, until a node refuses to list them all.
    return readTrades(chain, from, to, await findKnownCurves(db))
  })
  const curves = trades.map(({ curve }) => curve)
  const known = new Set<string>(curves.length > 0 ? await findKnownCurves(db, curves) : [])
  return { payments, trades: trades.filter(({ curve }) => known.has(curve)) }
}
