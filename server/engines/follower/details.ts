import pLimit from 'p-limit'
import type { Hash } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { spotPrice } from '../../chain/curve.ts'
import type { FollowContext } from './context.ts'
import type { Events } from './events.ts'
import type { Changes } from './store.ts'

/** Blocks that are asked for at a time. */
const blocksAtOnce = 8

/** The blocks that the chain now has at the heights of these events, each asked for once. */
export async function readBlocks(
  { client }: Chain,
  events: { blockNumber: number }[],
): Promise<Map<number, { hash: Hash; timestamp: bigint }>> {
  const limit = pLimit(blocksAtOnce)
  const numbers = [...new Set(events.map(({ blockNumber }) => blockNumber))]
  const blocks = await Promise.all(
    numbers.map((number) => limit(() => client.getBlock({ blockNumber: BigInt(number) }))),
  )
  return new Map(blocks.map(({ number, hash, timestamp }) => [Number(number), { hash, timestamp }]))
}

/**
 * Adds the times of their blocks to events, and the prices after trades.
 * @throws when a block is no longer on the chain
 */
export async function withDetails(
  { chain, shapeOf }: FollowContext,
  { payments, trades }: Events,
): Promise<Pick<Changes, 'payments' | 'trades'>> {
  const events = [...payments, ...trades]
  const blocks = await readBlocks(chain, events)
  if (events.some((event) => blocks.get(event.blockNumber)?.hash !== event.blockHash))
    throw new Error('the chain has changed while its logs were read')
  const timeOf = (event: { blockNumber: number }) => ({
    time: new Date(Number(blocks.get(event.blockNumber)?.timestamp) * 1000),
  })
  return {
    payments: payments.map((payment) => ({ ...payment, ...timeOf(payment) })),
    trades: await Promise.all(
      trades.map(async (trade) => {
        const price = spotPrice(await shapeOf(trade.curve), trade.sold)
        return { ...trade, ...timeOf(trade), price }
      }),
    ),
  }
}
