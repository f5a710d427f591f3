import { formatEther } from 'viem'
import type { Chain } from '../chain/chain.ts'
import type { ChainConnection, ChainState } from '../chain/connection.ts'
import { readGasBalances } from '../chain/gas.ts'
import type { Metrics } from './metrics.ts'

const states: ChainState[] = ['not_configured', 'unreachable', 'misconfigured', 'ready']

/** Longest time a scrape waits for the nodes, in ms; Prometheus itself gives up after ten seconds. */
const patienceMs = 3000

/**
 * Sets every metric that only the chain knows, and where the process stands with it.
 * @throws where the chain was reached once and does not answer now
 */
export async function readChain(
  connection: ChainConnection,
  payoutsEnabled: boolean,
  metrics: Metrics,
): Promise<void> {
  const { chain } = connection
  const reading = chain ? inTime(readNodes(chain, payoutsEnabled, metrics)) : undefined
  // Where the process stands is told also where the reading fails.
  const outcome = Promise.allSettled([reading])
  await connection.refresh()
  for (const state of states) metrics.chainState.set({ state }, connection.state === state ? 1 : 0)
  await outcome
  await reading
}

async function readNodes(chain: Chain, payoutsEnabled: boolean, metrics: Metrics): Promise<void> {
  const [head, money, paused] = await Promise.all([
    chain.client.getBlockNumber(),
    readGasBalances(chain),
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

function inTime(reading: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the nodes did not answer in time')), patienceMs)
  })
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}
