import type { Address, Hex, TransactionReceipt } from 'viem'
import type { Chain } from './chain.ts'

/** Gas of a payout with a fee to a new holder, with room. */
const payoutGas = 130_000n

/** The gas balance of an operator key. */
export interface GasBalance {
  address: Address
  /** Wei. */
  balance: bigint
  /** Payouts whose gas it pays at the node's fees of the moment. */
  payouts: number
}

/** The gas balance of every operator key. */
export async function readGasBalances(
  chain: Pick<Chain, 'client'> & { operators: readonly { address: Address }[] },
): Promise<GasBalance[]> {
  const { maxFeePerGas } = await chain.client.estimateFeesPerGas()
  const price = maxFeePerGas > 0n ? maxFeePerGas : 1n
  return Promise.all(
    chain.operators.map(async ({ address }) => {
      const balance = await chain.client.getBalance({ address })
      return { address, balance, payouts: Number(balance / (price * payoutGas)) }
    }),
  )
}

/**
 * What a mined transaction has cost, in wei, with the fee that chains of the OP stack add for its data. Undefined where
 * the node leaves out what that takes.
 */
export function gasCostOf(receipt: TransactionReceipt): bigint | undefined {
  // viem sets what is missing to null, and leaves a field of one kind of chain as the node gave it.
  const { gasUsed, effectiveGasPrice, l1Fee } = receipt as {
    gasUsed: bigint | null
    effectiveGasPrice: bigint | null
    l1Fee?: Hex | null
  }
  if (gasUsed === null || effectiveGasPrice === null) return undefined
  return gasUsed * effectiveGasPrice + BigInt(l1Fee ?? 0)
}
