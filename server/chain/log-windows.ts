import type { PublicClient } from 'viem'

/** Blocks asked for at a time: public nodes refuse more than some thousands. */
const widestWindow = 5000
const narrowestWindow = 50
/** How far the clocks of chain and database may differ, in seconds, with room for payments of a long approval. */
const clockSlack = 86_400

/** Reads the logs of the blocks `from` to `to`, both included. */
type ReadLogs<Found> = (from: number, to: number) => Promise<Found>

/** Adjacent blocks, the first and the last included, and what was read from their logs. */
export interface LogWindow<Found> {
  from: number
  to: number
  found: Found
}

/**
 * Reads the logs from the block `head` back to the moment `since` or somewhat further, one window of blocks at a time, the
 * newest window first. A window that the node refuses is halved.
 * @throws the node's error if it refuses the narrowest window too
 */
export async function* windowsBack<Found>(
  client: PublicClient,
  read: ReadLogs<Found>,
  head: number,
  since: Date,
): AsyncGenerator<LogWindow<Found>> {
  const oldest = BigInt(Math.floor(since.getTime() / 1000) - clockSlack)
  const readNext = createWindowReader(read)
  for (let to = head; to >= 0; ) {
    const last = to
    const window = await readNext((width) => ({ from: Math.max(0, last - width + 1), to: last }))
    yield window
    const { timestamp } = await client.getBlock({ blockNumber: BigInt(window.from) })
    if (timestamp < oldest) return
    to = window.from - 1
  }
}

/**
 * Reads the logs of the blocks `first` to `head`, one window of blocks at a time, the oldest window first. A window that
 * the node refuses is halved.
 * @throws the node's error if it refuses the narrowest window too
 */
export async function* windowsForward<Found>(
  read: ReadLogs<Found>,
  first: number,
  head: number,
): AsyncGenerator<LogWindow<Found>> {
  const readNext = createWindowReader(read)
  for (let from = first; from <= head; ) {
    const start = from
    const window = await readNext((width) => ({ from: start, to: Math.min(head, start + width - 1) }))
    yield window
    from = window.to + 1
  }
}

/** Reads windows, each placed for the width that the node has accepted so far. */
function createWindowReader<Found>(read: ReadLogs<Found>) {
  let width = widestWindow
  return async (place: (width: number) => { from: number; to: number }): Promise<LogWindow<Found>> => {
    for (;;) {
      const { from, to } = place(width)
      try {
        return { from, to, found: await read(from, to) }
      } catch (error) {
        const asked = to - from + 1
        if (asked <= narrowestWindow) throw error
        width = Math.floor(asked / 2)
      }
    }
  }
}
