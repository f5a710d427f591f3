import pLimit from 'p-limit'
import { spotPrice } from '../../chain/curve.ts'
import type { FollowContext } from './context.ts'
import type { Events } from './events.ts'
import type { Changes } from './store.ts'

/** Blocks that are asked for at a time. */
const blocksAtOnce = 8

/**
 * Adds the times of their blocks to events, and the prices after trades.
 * @throws when a block is no longer on the chain
 */
export async function withDetails(
  { chain, shapeOf }: FollowContext,
  { payments, trades }: Events,
): Promise<Pick<Changes, 'payments' | 'trades'>> {
  const limit = pLimit(blocksAtOnce)
  const hashes = new Map([...payments, ...trades].map((event) => [event.blockNumber, event.blockHash]))
  const times = new Map<number, Date>()
  await Promise.all(
    [...hashes].map(([number, expected]) =>
      limit(async () => {
        const { hash, timestamp } = await chain.client.getBlock({ blockNumber: BigInt(number) })
        if (hash !== expected) throw new Error('the chain has changed while its logs were read')
        times.set(number, new Date(Number(timestamp) * 1000))
      }),
    ),
  )
  const timeOf = (event: { blockNumber: number }) => ({ time: times.get(event.blockNumber) as Date })
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
