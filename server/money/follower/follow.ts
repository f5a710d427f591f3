import { LeaseLostError } from '../../db/lease.ts'
import { blockBefore } from '../chain/block-time.ts'
import type { Chain } from '../chain/chain.ts'
import { depthBelow } from '../chain/finality.ts'
import { expectLogsOf, logWindows, windowWidth } from '../chain/log-windows.ts'
import { changesBetween } from './changes.ts'
import type { FollowContext, TimedBlock } from './context.ts'
import { findKnownCurves, firstProjectAt, followNewCurves } from './curves.ts'
import { type Events, readEvents, readTrades, readWalletEvents } from './events.ts'
import { type BlockId, type FollowerLease, markCaughtUp, storeChanges, storedPlaces } from './store.ts'
import { alarmUnknown } from './unknown-payments.ts'

/** A window so narrow that a refusal is not about its width: others' events may fill it. */
const narrowWindow = 50

/**
 * One tick of the follower, by the holder of its lease: reads the logs from the cursor to the head and replaces what is
 * stored of these blocks, so that a reorganisation needs no treatment of its own. Where the node lists fewer blocks at a
 * time, it reads the new blocks, and the oldest once more before the cursor passes them.
 *
 * The cursor passes a block only once it is final and its logs were read `settleSeconds` after it was made, by the chain's
 * time: a node whose logs end less than that before its newest block delays a payment or trade, and cannot hide it.
 * @throws LeaseLostError, or the node's error; the next tick then continues with the last stored window
 */
export async function follow(context: FollowContext, lease: FollowerLease): Promise<void> {
  const { db, chain, finality, memory } = context
  const head = await readBlock(chain)
  // A database that fell back may lack logs up to a head that this process has stored.
  const stored = memory.fence === lease.fence && memory.head?.block === lease.head ? memory.head : undefined
  if (stored?.hash === head.hash) return markCaughtUp(db, lease)
  const { final } = await depthBelow(chain.client, head.block, finality)
  const cursor = await findCursor(context, lease, head.block, final)
  // A node that is behind the cursor has nothing to add.
  if (!cursor) return
  const read = await readAlready(chain, stored, head.block - cursor.block + 1)
  try {
    await expectLogsOf(chain.client, head.hash)
    await followNewCurves(context, lease, cursor)
    if (!(await followWindows(context, lease, { cursor, head, final, read }))) return
  } catch (error) {
    // No trade, and nobody who forges trades, keeps the alarm of a payment from being raised.
    if (!(error instanceof LeaseLostError))
      await checkWallets(context, lease, Math.max(cursor.block, read + 1), head.block)
    throw error
  }
  memory.head = head
  memory.fence = lease.fence
  await markCaughtUp(db, lease)
}

/** The block up to which the logs need not be read again, because those of `span` blocks do not fit into a window. */
async function readAlready(chain: Chain, stored: TimedBlock | undefined, span: number): Promise<number> {
  if (!stored || span <= windowWidth(chain.client)) return -1
  const { hash } = await readBlock(chain, stored.block).catch(() => ({ hash: undefined }))
  return hash === stored.hash ? stored.block : -1
}

/** Stores the changes of the blocks from the cursor to the head; false when the chain has changed meanwhile. */
async function followWindows(
  context: FollowContext,
  lease: FollowerLease,
  { cursor, head, final, read }: { cursor: TimedBlock; head: TimedBlock; final: number; read: number },
): Promise<boolean> {
  const { db, chain, memory } = context
  const settled = await settledBlock(context, cursor, head, final)
  const isGone = async ({ block, hash }: BlockId) => (await readBlock(chain, block)).hash !== hash
  const unsettled = { first: Math.max(cursor.block, read + 1), last: head.block }
  const old = { first: cursor.block, last: read < 0 || settled === cursor ? -1 : settled.block }
  let newest = read
  for (const { first, last } of [unsettled, old]) {
    const windows = logWindows(chain.client, (from, to) => readWindow(context, lease, from, to), first, last)
    for await (const { from, to, found } of windows) {
      const changes = await changesBetween(chain, await storedPlaces(db, chain.id, from, to), found)
      const isPassed = first === cursor.block && to > cursor.block && settled !== cursor
      const next = isPassed ? (to < settled.block ? await readBlock(chain, to) : settled) : cursor
      // The hash of a block fixes all blocks before it. Where it has changed, the window may mix two chains.
      if (isPassed && (await isGone(head))) return false
      await alarmUnknown(context, found)
      newest = Math.max(newest, to)
      await storeChanges(db, lease, changes, { cursor: next, head: newest })
      memory.cursor = next
    }
  }
  return true
}

/** Raises the alarms for unknown payments and moves of dollars of the blocks `first` to `head`, and stores nothing. */
async function checkWallets(
  context: FollowContext,
  { wallets }: FollowerLease,
  first: number,
  head: number,
): Promise<void> {
  const read = (from: number, to: number) => readWalletEvents(context.chain, wallets, from, to)
  for await (const { found } of logWindows(context.chain.client, read, first, head))
    await alarmUnknown(context, found)
}

/** The block from which to read on; undefined while the node is behind it. */
async function findCursor(
  { db, chain, log, memory }: FollowContext,
  { cursor }: FollowerLease,
  head: number,
  final: number,
): Promise<TimedBlock | undefined> {
  if (cursor && head < cursor.block) return undefined
  if (cursor && memory.cursor?.hash === cursor.hash) return memory.cursor
  const found = cursor && (await readBlock(chain, cursor.block))
  if (found && found.hash === cursor?.hash) return found
  // Read after the head: without a project, whatever is created from now on comes after it.
  const since = await firstProjectAt(db)
  const start = since ? await blockBefore(chain.client, head, since) : Math.max(0, final)
  if (cursor)
    log.warn(
      { block: cursor.block, start },
      'a block whose logs counted as final is gone: reading all logs again',
    )
  return readBlock(chain, start)
}

/**
 * The newest block that the cursor may pass once its logs are read again: final, and settled at the time of `head`. It is the
 * cursor itself until there are enough others: each move is read from the node, and makes sure that the cursor is not gone.
 */
async function settledBlock(
  { chain, settleSeconds, memory }: FollowContext,
  cursor: TimedBlock,
  head: TimedBlock,
  final: number,
): Promise<TimedBlock> {
  const span = head.block - cursor.block
  // As if the blocks since the cursor had come at one pace.
  const pace = span / Math.max(1, Number(head.time - cursor.time))
  const guess = Math.min(final, head.block - Math.ceil(settleSeconds * pace))
  if (guess - cursor.block < Math.min(windowWidth(chain.client), Math.max(1, span / 4))) return cursor
  if ((await readBlock(chain, cursor.block)).hash !== cursor.hash) {
    memory.cursor = undefined
    throw new Error(`block ${cursor.block} is gone, up to which the logs counted as final`)
  }
  for (let block = guess; block > cursor.block; block = Math.floor((cursor.block + block) / 2)) {
    const found = await readBlock(chain, block)
    if (found.time <= head.time - BigInt(settleSeconds)) return found
  }
  return cursor
}

/** A block of the chain; default: the newest. */
async function readBlock({ client }: Chain, block?: number): Promise<TimedBlock> {
  const { number, hash, timestamp } = await client.getBlock(
    block === undefined ? {} : { blockNumber: BigInt(block) },
  )
  return { block: Number(number), hash, time: timestamp }
}

/** The events of known contracts. */
async function readWindow(
  { db, chain }: FollowContext,
  { wallets }: FollowerLease,
  from: number,
  to: number,
): Promise<Events> {
  const { trades, ...ofWallets } = await readEvents(chain, wallets, from, to).catch(async (error) => {
    if (to - from >= narrowWindow) throw error
    // Other contracts can fill a block with events of these names, until a node refuses to list them all.
    return {
      ...(await readWalletEvents(chain, wallets, from, to)),
      trades: await readTrades(chain, from, to, await findKnownCurves(db)),
    }
  })
  const curves = trades.map(({ curve }) => curve)
  const known = new Set<string>(curves.length > 0 ? await findKnownCurves(db, curves) : [])
  return { ...ofWallets, trades: trades.filter(({ curve }) => known.has(curve)) }
}
