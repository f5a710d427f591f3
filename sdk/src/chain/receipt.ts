import { type Hash, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'

const pollMs = 250
const timeoutMs = 120_000

/**
 * The receipt of a sent transaction, once it is mined. It polls, because viem's own function looks at new blocks only: on
 * a chain that mines on demand, the block that it missed may be the last one.
 * @throws viem's TransactionReceiptNotFoundError if it is not mined after two minutes; it may still be mined later
 */
export async function waitForReceipt(client: PublicClient, hash: Hash): Promise<TransactionReceipt> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
