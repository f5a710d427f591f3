import type { PublicClient } from 'viem'

/** How far the clocks of chain and database may differ, in seconds, with room for payments of a long approval. */
const clockSlack = 86_400

/** A time by the chain's clock, in seconds, that is certainly before the moment `at` by the database's clock. */
export function chainTime(at: Date): bigint {
  return BigInt(Math.floor(at.getTime() / 1000) - clockSlack)
}

/** The newest of the blocks up to `head` that was certainly made before the moment `at`; 0 where there is none. */
export async function blockBefore(client: PublicClient, head: number, at: Date): Promise<number> {
  const time = chainTime(at)
  let before = 0
  let after = head + 1
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    const { timestamp } = await client.getBlock({ blockNumber: BigInt(middle) })
    if (timestamp < time) before = middle
    else after = middle
  }
  return before
}
