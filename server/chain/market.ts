import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import { type Chain, reachable } from './chain.ts'
import { type CurveShape, shapeOf } from './curve.ts'
import { bondingCurve, projectToken } from './generated/contracts.ts'

/** How long what was read of a curve is used again, in ms. */
const freshMs = 10_000
const mostRemembered = 1000

/** A project's curve and the bounty reserve of its token, as of one block. Amounts are in base units, ether in wei. */
export interface Market {
  shape: CurveShape
  /** Tokens that buyers hold: what can be sold at most. */
  sold: bigint
  /** Ether that the curve holds to buy tokens back, without the treasury's fees. */
  ethHeld: bigint
  /** What is left of the bounty reserve. */
  reserveLeft: bigint
  block: number
  blockTime: Date
}

/** What the curves of projects offer. */
export interface Markets {
  /**
   * The market of a project, at most ten seconds old. Several requests at once read it once.
   * @throws ServiceError `chain_unreachable`
   */
  read(chain: Chain, contracts: { curve: Address; token: Address }): Promise<Market>
}

/** Creates markets of which nothing was read yet. */
export function createMarkets(): Markets {
  const markets = new LRUCache<Address, Market, { chain: Chain; token: Address }>({
    max: mostRemembered,
    ttl: freshMs,
    fetchMethod: (curve, _stale, { context: { chain, token } }) =>
      reachable(() => readMarket(chain, curve, token)),
  })
  return {
    read: (chain, { curve, token }) => markets.forceFetch(curve, { context: { chain, token } }),
  }
}

async function readMarket({ client }: Chain, curve: Address, token: Address): Promise<Market> {
  const [shape, { number: blockNumber, timestamp }] = await Promise.all([
    shapeOf(client, curve),
    client.getBlock(),
  ])
  const ofCurve = { abi: bondingCurve.abi, address: curve, blockNumber } as const
  const ofToken = { abi: projectToken.abi, address: token, blockNumber } as const
  const [sold, fees, balance, reserveLeft] = await Promise.all([
    client.readContract({ ...ofCurve, functionName: 'sold' }),
    client.readContract({ ...ofCurve, functionName: 'accruedFees' }),
    client.getBalance({ address: curve, blockNumber }),
    client.readContract({ ...ofToken, functionName: 'bountyReserve' }),
  ])
  return {
    shape,
    sold,
    ethHeld: balance - fees,
    reserveLeft,
    block: Number(blockNumber),
    blockTime: new Date(Number(timestamp) * 1000),
  }
}
