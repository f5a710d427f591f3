import {
  bps,
  type CurveShape,
  purchaseCost,
  purchaseValue,
  saleProceeds,
  saleValue,
  spotPrice,
} from '../chain/curve.ts'
import type { Market } from '../chain/market.ts'
import { toDecimal } from '../chain/units.ts'

/** What a curve would pay now for as much of `amount`, in base units, as it takes. */
export function quoteOf(market: Pick<Market, 'shape' | 'sold'>, amount: bigint) {
  const { shape, sold } = market
  const sellable = mostSold(market, amount)
  return {
    amount: toDecimal(amount),
    sellable: toDecimal(sellable),
    eth: toDecimal(saleProceeds(shape, sold, sellable)),
    price_impact_bps: impact(shape, sold, sellable),
  }
}

/** What the curve would take now for as much of `amount`, in base units, as it has left. */
export function purchaseQuoteOf(market: Market, amount: bigint) {
  const { shape, sold, ethHeld } = market
  const left = shape.forSale - sold
  const available = amount < left ? amount : left
  return {
    amount: toDecimal(amount),
    available: toDecimal(available),
    eth: toDecimal(purchaseCost(shape, sold, available)),
    ...reserveClaimOf({
      ...market,
      sold: sold + available,
      ethHeld: ethHeld + purchaseValue(shape, sold, available),
    }),
  }
}

/** What the rest of the bounty reserve would take of the ether held, if all of it were paid out and sold before anything else. */
export function reserveClaimOf(market: Market) {
  const { shape, sold, ethHeld, reserveLeft } = market
  const claim = saleValue(shape, sold, mostSold(market, reserveLeft))
  // Rounded up: purchases leave single wei behind, and a buyer should not read 99.99 % where all is taken.
  const share = claim > 0n ? (claim * bps + ethHeld - 1n) / ethHeld : 0n
  return { reserve_claim_eth: toDecimal(claim), reserve_claim_bps: Number(share) }
}

/** How much of `amount` the curve buys now, as `maxSell` of the contract: at most what it has sold, and nothing for nothing. */
function mostSold({ shape, sold }: Pick<Market, 'shape' | 'sold'>, amount: bigint): bigint {
  const wanted = amount < sold ? amount : sold
  return saleProceeds(shape, sold, wanted) > 0n ? wanted : 0n
}

function impact(shape: CurveShape, sold: bigint, sellable: bigint): number {
  const before = spotPrice(shape, sold)
  return Number(((before - spotPrice(shape, sold - sellable)) * bps) / before)
}
