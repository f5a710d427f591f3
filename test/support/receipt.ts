import { setTimeout as delay } from 'node:timers/promises'
import { type Hash, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'

const pollMs = 10
const timeoutMs = 100_000

/** Waits for a transaction's receipt. viem's own function can miss the last block of a chain that mines on demand. */
export async function receiptOf(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hash,
): Promise<TransactionReceipt> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > deadline) throw error
    }
    await delay(pollMs)
  }
}
