import { type Hash, type PublicClient, withRetry, zeroAddress } from 'viem'
import { chainTime } from './block-time.ts'

/** Blocks asked for at a time: public nodes refuse more than some thousands. */
const widestWindow = 5000
/** A window of this many blocks, or fewer, is not halved again. */
export const narrowestWindow = 50

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
 * `newestFirst`. A window that the node refuses is halved, and the next ones are as narrow.
 * @throws the node's error if it refuses the narrowest window too
 */
export async function* logWindows<Found>(
  read: ReadLogs<Found>,
  first: number,
  last: number,
  newestFirst = false,
): AsyncGenerator<LogWindow<Found>> {
  let width = widestWindow
  for (let [low, high] = [first, last]; low <= high; ) {
    const from = newestFirst ? Math.max(low, high - width + 1) : low
    const to = newestFirst ? high : Math.min(high, low + width - 1)
    const asked = to - from + 1
    let found: Found
    try {
      found = await read(from, to)
    } catch (error) {
      if (asked <= narrowestWindow) throw error
      width = Math.floor(asked / 2)
      continue
    }
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
 * @throws the node's error if it refuses the narrowest window too, or does not have the logs of the head
 */
export async function* windowsBack<Found>(
  client: PublicClient,
  read: ReadLogs<Found>,
  head: number,
  since: Date,
): AsyncGenerator<LogWindow<Found>> {
  await expectLogsOf(client, (await client.getBlock({ blockNumber: BigInt(head) })).hash)
  for await (const window of logWindows(read, 0, head, true)) {
    yield window
    const { timestamp } = await client.getBlock({ blockNumber: BigInt(window.from) })
    if (timestamp < chainTime(since)) return
  }
}
