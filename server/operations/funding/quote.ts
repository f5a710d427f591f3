import { bps, type CurveShape, purchaseCost, saleProceeds, spotPrice } from '../../chain/curve.ts'
import type { Market } from '../../chain/market.ts'
import { toDecimal } from '../../chain/units.ts'

/** What a curve would pay now for as much of `amount`, in base units, as it takes. */
export function quoteOf({ shape, sold }: Market, amount: bigint) {
  const wanted = amount < sold ? amount : sold
  const eth = saleProceeds(shape, sold, wanted)
  // The curve refuses to buy for nothing.
  const sellable = eth > 0n ? wanted : 0n
  return {
    amount: toDecimal(amount),
    sellable: toDecimal(sellable),
    eth: toDecimal(eth),
    price_impact_bps: impact(shape, sold, sellable),
  }
}

/** What the curve would take now for as much of `amount`, in base units, as it has left. */
export function purchaseQuoteOf({ shape, sold }: Market, amount: bigint) {
  const left = shape.forSale - sold
  const available = amount < left ? amount : left
  return {
    amount: toDecimal(amount),
    available: toDecimal(available),
    eth: toDecimal(purchaseCost(shape, sold, available)),
  }
}

function impact(shape: CurveShape, sold: bigint, sellable: bigint): number {
  const before = spotPrice(shape, sold)
  return Number(((before - spotPrice(shape, sold - sellable)) * bps) / before)
}
