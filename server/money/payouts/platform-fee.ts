import { toBaseUnits } from '../chain/units.ts'

/** The platform fee on a reward and what is left for the contributor, both in base units; the fee is rounded down. */
export function splitReward(rewardTokens: number, feeBps: number): { net: bigint; fee: bigint } {
  const gross = toBaseUnits(rewardTokens)
  const fee = (gross * BigInt(feeBps)) / 10_000n
  return { net: gross - fee, fee }
}
