import { formatEther } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { readGasMoney } from '../chain/gas.ts'
import type { Metrics } from './metrics.ts'

/** Sets every metric that only the chain knows. */
export async function readChain(chain: Chain, payoutsEnabled: boolean, metrics: Metrics): Promise<void> {
  const [head, money, paused] = await Promise.all([
    chain.client.getBlockNumber(),
    readGasMoney(chain),
    chain.isPaused(),
  ])
  metrics.head.set(Number(head))
  metrics.paused.set(paused || !payoutsEnabled ? 1 : 0)
  for (const { address, balance, payouts } of money) {
    const lane = address.toLowerCase()
    metrics.balance.set({ lane }, Number(formatEther(balance)))
    metrics.affordable.set({ lane }, payouts)
  }
}
