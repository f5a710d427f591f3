import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import { type Chain, type Funds, reachable } from './chain.ts'
import { type Market, readMarket } from './market.ts'

/** How long a reading is used again, in ms. */
const freshMs = 10_000
/** How long the newest block is used again: only by requests that wait for it together. */
const joinedMs = 1
const mostRemembered = 2000

/**
 * Readings of the chain, at most ten seconds old. Requests for a reading that is under way wait for it, so a node that is
 * silent has no more than one of each kind to reply to.
 * @throws ServiceError `chain_unreachable`
 */
export interface RecentReadings {
  /** What the curve of a project offers at the newest block, so that a confirmed trade is in it. */
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

type Reading = Market | RecentFunds | boolean | bigint

/** Creates a memory of readings, in which there is none yet. */
export function createRecentReadings(): RecentReadings {
  const readings = new LRUCache<string, Reading, () => Promise<Reading>>({
    max: mostRemembered,
    ttl: freshMs,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: read }) => read(),
  })
  const recent = <Kind extends Reading>(key: string, read: () => Promise<Kind>, ttl = freshMs) =>
    readings.forceFetch(key, { context: read, ttl }) as Promise<Kind>
  return {
    async market(chain, contracts) {
      const newest = () => reachable(() => chain.client.getBlockNumber({ cacheTime: 0 }))
      const block = await recent('newest block', newest, joinedMs)
      return recent(`market ${contracts.curve} ${block}`, () =>
        reachable(() => readMarket(chain, contracts, block)),
      )
    },
    funds: (chain, token, wallet) =>
      recent(`funds ${token} ${wallet}`, async () => ({
        ...(await chain.funds(token, wallet)),
        readAt: new Date(),
      })),
    isPaused: (chain) => recent('paused', () => chain.isPaused()),
  }
}
