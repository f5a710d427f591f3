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

/** What a sale of `amount` base units pays after the fee, in wei, where `sold` are sold; `amount` is at most `sold`. */
export function saleProceeds(shape: CurveShape, sold: bigint, amount: bigint): bigint {
  const value = (amount * weight(shape, sold - amount, amount)) / scale(shape)
  const fee = (value * shape.feeBps + bps - 1n) / bps
  return value - fee
}

/** What a purchase of `amount` base units costs with the fee, in wei, where `sold` are sold; at most `forSale` are sold after. */
export function purchaseCost(shape: CurveShape, sold: bigint, amount: bigint): bigint {
  const cost = (amount * weight(shape, sold, amount) + scale(shape) - 1n) / scale(shape)
  const fee = (cost * shape.feeBps + bps - 1n) / bps
  return cost + fee
}

/** Basis points in the whole. */
export const bps = 10_000n

function weight({ startValue, endValue, forSale }: CurveShape, sold: bigint, amount: bigint): bigint {
  return 2n * startValue * forSale + (endValue - startValue) * (2n * sold + amount)
}

function scale({ forSale, supply }: CurveShape): bigint {
  return 2n * forSale * supply
}
