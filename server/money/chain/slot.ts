import type { Address, Hex, PublicClient } from 'viem'
import { platformWallet as platformWalletContract } from './generated/contracts.ts'

/** In the order of the contract. */
const states = ['none', 'funded', 'refunded', 'paid'] as const

/** What a platform wallet knows of a payout id. Only a funded one has dollars. */
export interface Slot {
  state: (typeof states)[number]
  /** Base units of the coin. */
  dollars: bigint
  /** The end of the lock, in seconds. */
  lockedUntil: number
}

/** A platform wallet and an id under which it pays once. */
export interface SlotKey {
  platformWallet: Address
  payoutId: Hex
}

/** Seconds before the end of a lock from which on no payment of the dollars begins: it might come too late. They are refunded then. */
export const lockMarginSeconds = 3600

/** The slot of a payout id, as of a block; default: the newest. */
export async function readSlot(
  client: PublicClient,
  { platformWallet: address, payoutId }: SlotKey,
  blockNumber?: number,
): Promise<Slot> {
  const { state, dollars, lockedUntil } = await client.readContract({
    abi: platformWalletContract.abi,
    address,
    functionName: 'deposit',
    args: [payoutId],
    ...(blockNumber !== undefined && { blockNumber: BigInt(blockNumber) }),
  })
  const known = states[state]
  if (!known) throw new Error(`the platform wallet ${address} has no such state as ${state}`)
  return { state: known, dollars, lockedUntil }
}

/** The coin of a platform wallet. */
export function readCoin(client: PublicClient, address: Address): Promise<Address> {
  return client.readContract({ abi: platformWalletContract.abi, address, functionName: 'dollar' })
}
