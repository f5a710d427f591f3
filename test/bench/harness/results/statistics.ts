/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** How far the values lie apart: (greatest - least) / median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values)
}

/**
 * Medians of the ratios of values measured one right after the other: what slows a machine down for a while slows both
 * sides of such a ratio.
 */
export function medianRatio(values: readonly number[], reference: readonly number[]): number {
  return median(values.map((value, round) => value / (reference[round] ?? Number.NaN)))
}

/** `value` with so many significant digits, grouped in thousands. */
export function show(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '–'
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return value.toLocaleString('en', { maximumFractionDigits: decimals, minimumFractionDigits: decimals })
}

/** `0.123` as `12 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
