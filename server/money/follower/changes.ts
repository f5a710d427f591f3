import pLimit from 'p-limit'
import { chainAddress } from '../chain/address.ts'
import type { Chain } from '../chain/chain.ts'
import { shapeOf, spotPrice } from '../chain/curve.ts'
import type { Events } from './events.ts'
import type { Changes, Place } from './store.ts'

/** Blocks that are asked for at a time. */
const blocksAtOnce = 8

/**
 * What has to be stored and deleted where the events `found` replace the `stored` ones. A stored event is gone only when
 * its block is: stored events of blocks above the head stay until there is another block at their height.
 * @throws when a block has left the chain since, or when the node leaves out a stored event of a block that has not
 */
export async function changesBetween(
  chain: Chain,
  stored: Place[],
  found: Pick<Events, 'payments' | 'trades'>,
): Promise<Changes> {
  const known = new Set(stored.map(keyOf))
  const present = new Set([...found.payments, ...found.trades].map(keyOf))
  const payments = found.payments.filter((event) => !known.has(keyOf(event)))
  const trades = found.trades.filter((event) => !known.has(keyOf(event)))
  const gone = stored.filter((place) => !present.has(keyOf(place)))
  const blocks = await readBlocks(chain, [...payments, ...trades, ...gone])
  const timeOf = (event: Place) => {
    const block = blocks.get(event.block_number)
    return block?.hash === event.block_hash ? new Date(Number(block.timestamp) * 1000) : undefined
  }
  const leftOut = gone.find(timeOf)
  if (leftOut) throw new Error(`the node leaves out logs of block ${leftOut.block_number}`)
  const timed = <Event extends Place>(event: Event) => {
    const block_time = timeOf(event)
    if (!block_time) throw new Error('the chain has changed while its logs were read')
    return { ...event, block_time }
  }
  // Before anything asynchronous starts: if it threw later, nobody would wait for that.
  const timedPayments = payments.map(timed)
  const timedTrades = trades.map(timed)
  const priced = timedTrades.map(async (trade) => {
    const shape = await shapeOf(chain.client, chainAddress(trade.curve))
    return { ...trade, price: String(spotPrice(shape, BigInt(trade.sold))) }
  })
  return { payments: timedPayments, trades: await Promise.all(priced), gone }
}

function keyOf({ block_hash, log_index }: Place): string {
  return `${block_hash} ${log_index}`
}

/** The blocks that the chain now has at the heights of these events, each asked for once. */
async function readBlocks({ client }: Chain, events: Place[]) {
  const limit = pLimit(blocksAtOnce)
  const numbers = [...new Set(events.map(({ block_number }) => block_number))]
  const read = (number: number) => client.getBlock({ blockNumber: BigInt(number) })
  const blocks = await Promise.all(numbers.map((number) => limit(() => read(number))))
  return new Map(blocks.map((block) => [Number(block.number), block]))
}
