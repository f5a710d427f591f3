import type { Address } from 'viem'
import type { Chain } from './chain.ts'
import { type CurveShape, shapeOf } from './curve.ts'
import { bondingCurve, projectToken } from './generated/contracts.ts'

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

/** Reads what the curve of a project offers, at one block. @throws the error of the node or connection */
export async function readMarket(
  { client }: Chain,
  { curve, token }: { curve: Address; token: Address },
  blockNumber: bigint,
): Promise<Market> {
  const ofCurve = { abi: bondingCurve.abi, address: curve, blockNumber } as const
  const ofToken = { abi: projectToken.abi, address: token, blockNumber } as const
  const [shape, { timestamp }, sold, fees, balance, reserveLeft] = await Promise.all([
    shapeOf(client, curve),
    client.getBlock({ blockNumber }),
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
