import { formatEther } from 'viem'
import { within } from '../config/time-limit.ts'
import type { Chain } from '../money/chain/chain.ts'
import type { ChainConnection, ChainState } from '../money/chain/connection.ts'
import { readGasBalances } from '../money/chain/gas.ts'
import type { Metrics } from './metrics.ts'

const states: ChainState[] = ['not_configured', 'unreachable', 'misconfigured', 'ready']

/** Longest time that a scrape waits for the nodes, in ms; Prometheus gives up after ten seconds. */
const timeoutMs = 3000

/**
 * Sets every metric about the chain and about the connection to it.
 * @throws if the chain was reached before and does not answer now
 */
export async function readChain(
  connection: ChainConnection,
  payoutsEnabled: boolean,
  metrics: Metrics,
): Promise<void> {
  const { chain } = connection
  const reading = chain && within(timeoutMs, readNodes(chain, payoutsEnabled, metrics), late)
  // The state of the connection is set even if the nodes cannot be read.
  const outcome = Promise.allSettled([reading])
  await connection.refresh()
  for (const state of states) metrics.chainState.set({ state }, connection.state === state ? 1 : 0)
  await outcome
  await reading
}

async function readNodes(chain: Chain, payoutsEnabled: boolean, metrics: Metrics): Promise<void> {
  const [head, gasBalances, paused] = await Promise.all([
    chain.client.getBlockNumber(),
    readGasBalances(chain),
    chain.isPaused(),
  ])
  metrics.head.set(Number(head))
  metrics.paused.set(paused || !payoutsEnabled ? 1 : 0)
  for (const { address, balance, payouts } of gasBalances) {
    const lane = address.toLowerCase()
    metrics.balance.set({ lane }, Number(formatEther(balance)))
    metrics.affordable.set({ lane }, payouts)
  }
}

function late(): never {
  throw new Error('the nodes did not respond in time')
}
