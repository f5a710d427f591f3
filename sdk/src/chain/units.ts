import { formatUnits, parseUnits } from 'viem'

/** Every project token has 18 decimals. */
const decimals = 18

/** Whole tokens in base units: `parseTokens('12.5')`, `parseTokens(12)`. */
export function parseTokens(tokens: string | number | bigint): bigint {
  return parseUnits(String(tokens), decimals)
}

/** Base units in whole tokens, as a decimal string. */
export function formatTokens(baseUnits: bigint): string {
  return formatUnits(baseUnits, decimals)
}
