import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import { type Chain, type Funds, reachable } from './chain.ts'
import { type Market, readMarket } from './market.ts'

/** How long a reading is used again, in ms. */
const freshMs = 10_000
const mostRemembered = 2000

/**
 * Readings of the chain, at most ten seconds old. Requests for a reading that is under way wait for it, so a node that is
 * silent has no more than one of each kind to reply to.
 * @throws ServiceError `chain_unreachable`
 */
export interface RecentReadings {
  /** What the curve of a project offers. */
  market(chain: Chain, contracts: { curve: Address; token: Address }): Promise<Market>
  /** What a founder can pay with. */
  funds(chain: Chain, token: Address, wallet: Address): Promise<RecentFunds>
  /** Whether the platform wallet refuses all payouts. */
  isPaused(chain: Chain): Promise<boolean>
}

/** Funds with the time at which they were read. */
export interface RecentFunds extends Funds {
  readAt: Date
}

type Reading = Market | RecentFunds | boolean

/** Creates a memory of readings, in which there is none yet. */
export function createRecentReadings(): RecentReadings {
  const readings = new LRUCache<string, Reading, () => Promise<Reading>>({
    max: mostRemembered,
    ttl: freshMs,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: read }) => read(),
  })
  const recent = <Kind extends Reading>(key: string, read: () => Promise<Kind>) =>
    readings.forceFetch(key, { context: read }) as Promise<Kind>
  return {
    market: (chain, { curve, token }) =>
      recent(`market ${curve}`, () => reachable(() => readMarket(chain, curve, token))),
    funds: (chain, token, wallet) =>
      recent(`funds ${token} ${wallet}`, async () => ({
        ...(await chain.funds(token, wallet)),
        readAt: new Date(),
      })),
    isPaused: (chain) => recent('paused', () => chain.isPaused()),
  }
}
