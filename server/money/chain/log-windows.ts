import { type Hash, type PublicClient, withRetry, zeroAddress } from 'viem'
import { chainTime } from './block-time.ts'
import { refusalOf } from './log-limits.ts'

/** Most blocks that are asked for at a time: public nodes refuse more than some thousands. */
export const widestWindow = 5000
/** Windows as wide as they may be, after which twice as many blocks are tried. */
const windowsBeforeWider = 100

/** The width that each client's node was found to allow, and how many windows of that width were read since. */
const widths = new WeakMap<PublicClient, { width: number; passed: number }>()

/** Blocks that the node is asked for at a time, as far as is known. */
export function windowWidth(client: PublicClient): number {
  return widths.get(client)?.width ?? widestWindow
}

/** Notes that a window of `asked` blocks was read, after wider ones were refused where `isLimit`. */
function rememberWidth(client: PublicClient, asked: number, isLimit: boolean): void {
  const { width, passed } = widths.get(client) ?? { width: widestWindow, passed: 0 }
  if (isLimit) widths.set(client, { width: asked, passed: 0 })
  else if (asked === width && passed + 1 < windowsBeforeWider)
    widths.set(client, { width, passed: passed + 1 })
  else if (asked === width) widths.set(client, { width: Math.min(2 * width, widestWindow), passed: 0 })
}

/** Reads the logs of the blocks `from` to `to`, both included. */
type ReadLogs<Found> = (from: number, to: number) => Promise<Found>

/** Adjacent blocks, the first and the last included, and what was read from their logs. */
export interface LogWindow<Found> {
  from: number
  to: number
  found: Found
}

/**
 * Reads the logs of the blocks `first` to `last`, one window of blocks at a time, the oldest window first unless
 * `newestFirst`. A window that the node refuses is halved, down to one block, and the next ones are as narrow. A limit of the
 * node is remembered for the client, and twice as many blocks are tried again a hundred windows later.
 * @throws the node's error if it refuses a single block too, or wants to be asked later
 */
export async function* logWindows<Found>(
  client: PublicClient,
  read: ReadLogs<Found>,
  first: number,
  last: number,
  newestFirst = false,
): AsyncGenerator<LogWindow<Found>> {
  let cap = widestWindow
  let isLimit = false
  for (let [low, high] = [first, last]; low <= high; ) {
    const width = Math.min(cap, windowWidth(client))
    const from = newestFirst ? Math.max(low, high - width + 1) : low
    const to = newestFirst ? high : Math.min(high, low + width - 1)
    const asked = to - from + 1
    let found: Found
    try {
      found = await read(from, to)
    } catch (error) {
      const refusal = refusalOf(error)
      if (asked === 1 || refusal === 'too often') throw error
      isLimit = refusal === 'too much'
      cap = Math.floor(asked / 2)
      continue
    }
    rememberWidth(client, asked, isLimit)
    if (isLimit) cap = widestWindow
    isLimit = false
    yield { from, to, found }
    if (newestFirst) high = from - 1
    else low = to + 1
  }
}

/**
 * Makes sure that the node has the logs of a block that was its newest a moment ago. Asked for a range of numbers, a
 * node that is behind lists nothing and no error; asked for a hash, it says that it does not know the block.
 * @throws the node's error if it still does not know the block after a second
 */
export async function expectLogsOf(client: PublicClient, blockHash: Hash): Promise<void> {
  await withRetry(() => client.getLogs({ blockHash, address: zeroAddress }), { retryCount: 2, delay: 500 })
}

/**
 * Reads the logs from the block `head` back to the moment `since` or somewhat further, the newest window first.
 * @throws the node's error if it refuses a single block too, or does not have the logs of the head
 */
export async function* windowsBack<Found>(
  client: PublicClient,
  read: ReadLogs<Found>,
  head: number,
  since: Date,
): AsyncGenerator<LogWindow<Found>> {
  await expectLogsOf(client, (await client.getBlock({ blockNumber: BigInt(head) })).hash)
  for await (const window of logWindows(client, read, 0, head, true)) {
    yield window
    const { timestamp } = await client.getBlock({ blockNumber: BigInt(window.from) })
    if (timestamp < chainTime(since)) return
  }
}
