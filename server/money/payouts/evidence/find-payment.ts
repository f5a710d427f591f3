import type { Hash, PublicClient } from 'viem'
import { canonicalReceipt } from '../../transactions/lane/chain-view.ts'
import { type Expected, type Payment, paymentIn } from './evidence.ts'
import { paidEvents } from './paid-events.ts'

/** The payment of a payout on the canonical chain by one of our own transactions, which have these hashes. */
export async function findOwnPayment(
  client: PublicClient,
  payout: Expected,
  hashes: Hash[],
): Promise<Payment | undefined> {
  for (const hash of hashes) {
    const receipt = await canonicalReceipt(client, hash)
    const payment = receipt && paymentIn(payout, receipt.logs)
    if (payment) return payment
  }
  return undefined
}

/**
 * The payment of a payout by any sender, from the platform wallet's events between `since`, before which nobody can have
 * paid, and the block `head`.
 * @throws the node's error if it refuses even a narrow window of blocks
 */
export async function findAnyPayment(
  client: PublicClient,
  payout: Expected,
  head: number,
  since: Date,
): Promise<Payment | undefined> {
  const filter = { wallets: [payout.platformWallet], payoutId: payout.payoutId }
  for await (const [event] of paidEvents(client, filter, head, since)) {
    if (!event) continue
    // Its other events say what it has paid in dollars.
    const receipt = await canonicalReceipt(client, event.transactionHash)
    const payment = receipt && paymentIn(payout, receipt.logs)
    if (payment) return payment
    throw new Error(`the node has no receipt of ${event.transactionHash}, which has paid a bounty`)
  }
  return undefined
}
