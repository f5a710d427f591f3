import { formatUnits, parseUnits } from 'viem'

/** Every project token has 18 decimals. */
const decimals = 18

/**
 * Whole tokens in base units: `parseTokens('12.5')`, `parseTokens(12)`.
 * @throws RangeError for more than 18 digits after the point. Rounded up, an amount could be more than there is.
 */
export function parseTokens(tokens: string | number | bigint): bigint {
  const text = String(tokens)
  const [, fraction = ''] = text.split('.')
  if (fraction.length > decimals)
    throw new RangeError(`${text} has ${fraction.length} digits after the point: a token has ${decimals}`)
  return parseUnits(text, decimals)
}

/** Base units in whole tokens, as a decimal string. */
export function formatTokens(baseUnits: bigint): string {
  return formatUnits(baseUnits, decimals)
}
