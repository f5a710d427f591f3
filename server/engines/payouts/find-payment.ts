import type { Hash, PublicClient } from 'viem'
import { platformWallet } from '../../chain/generated/contracts.ts'
import { canonicalReceipt } from '../transactions/chain-view.ts'
import { type Expected, type Payment, paymentIn } from './evidence.ts'

/** Blocks asked for at a time; public nodes refuse more than some thousands. */
const widestWindow = 10_000
const narrowestWindow = 100
/** What the clocks of chain and database may differ, in seconds. */
const clockSlack = 86_400

/** The payment of a payout by one of our own transactions on the canonical chain, whose `hashes` these are. */
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
 * The payment of a payout, whoever sent it, by the platform wallet's event. Looks back from `head` in windows, smaller
 * ones where the node refuses, until blocks are older than `since`, before which nobody can have paid.
 * @throws what the node says, when it refuses the smallest window too
 */
export async function findAnyPayment(
  client: PublicClient,
  payout: Expected,
  head: number,
  since: Date,
): Promise<Payment | undefined> {
  const oldest = BigInt(Math.floor(since.getTime() / 1000) - clockSlack)
  let width = widestWindow
  for (let to = head; to >= 0; ) {
    const from = Math.max(0, to - width + 1)
    const logs = await paidLogs(client, payout, from, to).catch((error) => {
      if (width <= narrowestWindow) throw error
      return undefined
    })
    if (!logs) {
      width = Math.floor(width / 2)
      continue
    }
    const payment = paymentIn(payout, logs)
    if (payment) return payment
    const block = await client.getBlock({ blockNumber: BigInt(from) })
    if (block.timestamp < oldest) return undefined
    to = from - 1
  }
  return undefined
}

function paidLogs(client: PublicClient, payout: Expected, from: number, to: number) {
  return client.getContractEvents({
    abi: platformWallet.abi,
    address: payout.platformWallet,
    eventName: 'Paid',
    args: { payoutId: payout.payoutId },
    fromBlock: BigInt(from),
    toBlock: BigInt(to),
    strict: true,
  })
}
