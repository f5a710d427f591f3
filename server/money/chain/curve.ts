import { LRUCache } from 'lru-cache'
import type { Address, PublicClient } from 'viem'
import { bondingCurve, projectToken } from './generated/contracts.ts'
import { tokenUnit } from './units.ts'

/** The parameters of a curve, which never change; see LinearPrice.sol. Values are in wei, amounts in base units. */
export interface CurveShape {
  startValue: bigint
  endValue: bigint
  supply: bigint
  forSale: bigint
  feeBps: bigint
}

const mostRemembered = 1000

const shapes = new WeakMap<PublicClient, LRUCache<Address, CurveShape>>()

/** The parameters of a curve. Each curve is read once. */
export function shapeOf(client: PublicClient, curve: Address): Promise<CurveShape> {
  let known = shapes.get(client)
  if (!known) {
    known = new LRUCache({ max: mostRemembered, fetchMethod: (address) => readShape(client, address) })
    shapes.set(client, known)
  }
  return known.forceFetch(curve)
}

async function readShape(client: PublicClient, address: Address): Promise<CurveShape> {
  const curve = { abi: bondingCurve.abi, address } as const
  const [startValue, endValue, forSale, feeBps, token] = await Promise.all([
    client.readContract({ ...curve, functionName: 'startFdv' }),
    client.readContract({ ...curve, functionName: 'endFdv' }),
    client.readContract({ ...curve, functionName: 'forSale' }),
    client.readContract({ ...curve, functionName: 'feeBps' }),
    client.readContract({ ...curve, functionName: 'token' }),
  ])
  const supply = await client.readContract({
    abi: projectToken.abi,
    address: token,
    functionName: 'totalSupply',
  })
  return { startValue, endValue, supply, forSale, feeBps }
}

/** The price of a whole token where `sold` base units are sold, in wei, before the fee, rounded down. */
export function spotPrice(shape: CurveShape, sold: bigint): bigint {
  return (tokenUnit * weight(shape, sold, 0n)) / scale(shape)
}

/** By how much a sale of `amount` base units lowers the ether held, in wei, where `sold` are sold; `amount` is at most `sold`. */
export function saleValue(shape: CurveShape, sold: bigint, amount: bigint): bigint {
  return (amount * weight(shape, sold - amount, amount)) / scale(shape)
}

/** What such a sale pays: its value after the fee, which goes to the treasury. */
export function saleProceeds(shape: CurveShape, sold: bigint, amount: bigint): bigint {
  const value = saleValue(shape, sold, amount)
  return value - feeOn(shape, value)
}

/** By how much a purchase of `amount` base units raises the ether held, in wei, where `sold` are sold; at most `forSale` are sold after. */
export function purchaseValue(shape: CurveShape, sold: bigint, amount: bigint): bigint {
  return (amount * weight(shape, sold, amount) + scale(shape) - 1n) / scale(shape)
}

/** What such a purchase costs: its value and the fee. */
export function purchaseCost(shape: CurveShape, sold: bigint, amount: bigint): bigint {
  const value = purchaseValue(shape, sold, amount)
  return value + feeOn(shape, value)
}

/** Basis points in the whole. */
export const bps = 10_000n

function feeOn({ feeBps }: CurveShape, value: bigint): bigint {
  return (value * feeBps + bps - 1n) / bps
}

function weight({ startValue, endValue, forSale }: CurveShape, sold: bigint, amount: bigint): bigint {
  return 2n * startValue * forSale + (endValue - startValue) * (2n * sold + amount)
}

function scale({ forSale, supply }: CurveShape): bigint {
  return 2n * forSale * supply
}
