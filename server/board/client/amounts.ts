import { type Amount, tokens } from '../page.ts'

/** Digits after the point of ether and of tokens. */
const decimals = 18

/** Base units of a decimal. */
function units(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
}

function decimal(units: bigint): string {
  const digits = `${units}`.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}

export const plus = (one: string, other: string) => decimal(units(one) + units(other))

/** The lesser of two amounts. */
export const least = (one: string, other: string) => (units(one) < units(other) ? one : other)

/** An amount without a part of it, in basis points. */
export const cut = (amount: string, bps: number) => decimal((units(amount) * BigInt(10_000 - bps)) / 10_000n)

/** An amount less whole tokens; undefined if that is too little. */
export function less(amount: string, taken: number, symbol: string): Amount | undefined {
  const left = units(amount) - units(`${taken}`)
  return left < 0n ? undefined : tokens(decimal(left), symbol)
}
