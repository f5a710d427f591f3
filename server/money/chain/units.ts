import { formatUnits, parseUnits } from 'viem'

/** Decimals of every project token, and of ether. */
const decimals = 18

/** Base units in one whole token. */
export const tokenUnit = 10n ** BigInt(decimals)

/** Base units as a decimal string of whole tokens, or wei as one of ether. */
export function toDecimal(baseUnits: bigint, places = decimals): string {
  return formatUnits(baseUnits, places)
}

/** A decimal string of whole tokens in base units, or of ether in wei. */
export function fromDecimal(text: string, places = decimals): bigint {
  return parseUnits(text, places)
}

/** Decimals of the stablecoin. */
export const dollarDecimals = 6

/** The least that can be locked for a bounty, in dollars. */
export const leastDollars = '1.00'

/** Base units of the stablecoin as a decimal string of dollars. */
export function toDollars(baseUnits: bigint): string {
  return toDecimal(baseUnits, dollarDecimals)
}

/** A decimal string of dollars in base units. */
export function fromDollars(text: string): bigint {
  return fromDecimal(text, dollarDecimals)
}

/** Whole tokens in base units. */
export function toBaseUnits(wholeTokens: number | bigint): bigint {
  return BigInt(wholeTokens) * tokenUnit
}

/** Base units in whole tokens, floored. */
export function toWholeTokens(baseUnits: bigint): bigint {
  return baseUnits / tokenUnit
}
