import type { Address, Hex } from 'viem'
import { ServiceError } from '../../errors.ts'
import { chainAddress } from '../chain/address.ts'
import { type Chain, reachable } from '../chain/chain.ts'
import { isOfSilentNode } from '../chain/client.ts'
import { lockMarginSeconds, readCoin, readSlot } from '../chain/slot.ts'
import { toDollars } from '../chain/units.ts'

/** The dollars that a payout moves with its tokens, in base units of the coin. */
export interface Dollars {
  /** All that is locked for the bounty; 0 for none. */
  dollars: bigint
  /** The part of them for the treasury. */
  dollarFee: bigint
  /** The coin; null without dollars. */
  dollarAddress: Address | null
}

export const noDollars: Dollars = { dollars: 0n, dollarFee: 0n, dollarAddress: null }

/**
 * The dollars that are locked for a payout id now, as the chain shows: a database that has fallen back behind their deposit
 * pays them all the same.
 * @throws ServiceError `dollars_lock_over`, `chain_unreachable`
 */
export async function lockedDollars(chain: Chain, payoutId: Hex, feeBps: number): Promise<Dollars> {
  const { client, platformWallet } = chain
  const slot = await reachable(() =>
    readSlot(client, { platformWallet, payoutId }).catch((error) => {
      // One of before there were dollars has no slots.
      if (chain.dollar || isOfSilentNode(error)) throw error
      return undefined
    }),
  )
  if (slot?.state !== 'funded') return noDollars
  const [{ timestamp }, coin] = await reachable(() =>
    Promise.all([client.getBlock(), readCoin(client, platformWallet)]),
  )
  if (slot.lockedUntil <= Number(timestamp) + lockMarginSeconds) throw new ServiceError('dollars_lock_over')
  return {
    dollars: slot.dollars,
    dollarFee: dollarFeeOf(slot.dollars, feeBps),
    dollarAddress: chainAddress(coin),
  }
}

/** The part of locked dollars for the treasury, rounded down, in base units. */
export const dollarFeeOf = (dollars: bigint, feeBps: number) => (dollars * BigInt(feeBps)) / 10_000n

/** Dollars as receipts and events show them; null without. */
export function presentDollars(row: { dollars: string; dollar_fee: string }) {
  const gross = BigInt(row.dollars)
  const fee = BigInt(row.dollar_fee)
  return gross === 0n ? null : { gross: toDollars(gross), fee: toDollars(fee), net: toDollars(gross - fee) }
}

/** The columns of a payout that hold its dollars. */
export const dollarColumns = ({ dollars, dollarFee, dollarAddress }: Dollars) => ({
  dollars: dollars.toString(),
  dollar_fee: dollarFee.toString(),
  dollar_address: dollarAddress,
})
