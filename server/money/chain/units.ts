import { encodeAbiParameters, formatUnits, type Hex, keccak256, parseUnits, stringToHex } from 'viem'

/** Decimals of every project token, and of ether. */
const decimals = 18

/** Base units in one whole token. */
export const tokenUnit = 10n ** BigInt(decimals)

/** Base units as a decimal string of whole tokens, or wei as one of ether. */
export function toDecimal(baseUnits: bigint): string {
  return formatUnits(baseUnits, decimals)
}

/** A decimal string of whole tokens in base units, or of ether in wei. */
export function fromDecimal(text: string): bigint {
  return parseUnits(text, decimals)
}

/** Whole tokens in base units. */
export function toBaseUnits(wholeTokens: number | bigint): bigint {
  return BigInt(wholeTokens) * tokenUnit
}

/** Base units in whole tokens, floored. */
export function toWholeTokens(baseUnits: bigint): bigint {
  return baseUnits / tokenUnit
}

/** The platform fee on a reward and what is left for the contributor, both in base units; the fee is rounded down. */
export function splitReward(rewardTokens: number, feeBps: number): { net: bigint; fee: bigint } {
  const gross = toBaseUnits(rewardTokens)
  const fee = (gross * BigInt(feeBps)) / 10_000n
  return { net: gross - fee, fee }
}

/** The id under which the platform wallet pays a bounty once and never again, on this chain only. */
export function payoutIdOf(chainId: number, bountyId: string): Hex {
  return keccak256(
    encodeAbiParameters([{ type: 'uint256' }, { type: 'string' }], [BigInt(chainId), bountyId]),
  )
}

/** The key under which the factory creates a project's contracts once. */
export function projectKeyOf(projectId: string): Hex {
  return keccak256(stringToHex(projectId))
}
