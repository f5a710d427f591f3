import { type Hex, keccak256 } from 'viem'
import type { FixtureSubmission } from '../fixture.ts'

/*
 * The published rules of payment, written out a second time. Nothing in this file comes from the service: what the
 * service computes is compared with it.
 */

const chainId = 31_337n
const baseUnitsPerToken = 1_000_000_000_000_000_000n

/** Platform fee of every schedule, in basis points. Not the default: a service that ignores its setting is noticed. */
export const feeBps = 475n

/** Number of blocks, its own included, after which a block of any schedule is final. */
export const finalityBlocks = 12n

/** Whole tokens in base units; ETH in wei. Both have 18 decimals. */
export function inBaseUnits(whole: number): bigint {
  return BigInt(whole) * baseUnitsPerToken
}

/** What a contributor and the treasury get for a reward in whole tokens, in base units; the fee is rounded down. */
export function expectedShares(rewardTokens: number): { net: bigint; fee: bigint } {
  const gross = inBaseUnits(rewardTokens)
  const fee = (gross * feeBps) / 10_000n
  return { net: gross - fee, fee }
}

/** The id under which the contract pays a bounty once, whichever submission was approved. */
export function expectedPayoutId({ bountyId }: Pick<FixtureSubmission, 'bountyId'>): Hex {
  return keccak256(encodeNumberAndText(chainId, bountyId))
}

/** The ABI encoding of `(uint256, string)`: number, offset of the text, its length, its bytes padded to whole words. */
function encodeNumberAndText(number: bigint, text: string): Hex {
  const bytes = Buffer.from(text, 'utf8')
  const padded = Buffer.alloc(Math.ceil(bytes.length / 32) * 32)
  bytes.copy(padded)
  const words = [number, 64n, BigInt(bytes.length)].map((word) => word.toString(16).padStart(64, '0'))
  return `0x${words.join('')}${padded.toString('hex')}`
}
