import type { PublicClient } from 'viem'

/** Both EIP-1559 fee fields, in wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** How many times the node's suggestion a replacement may cost at most. */
const capFactor = 5n

/** The node's suggestion for now. */
export async function suggestFees(client: PublicClient): Promise<Fees> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
  return { maxFeePerGas, maxPriorityFeePerGas }
}

/**
 * Fees of a replacement: both fields at least 12.5 % above the last attempt (nodes want 10 %), at least the suggestion,
 * at most five times the suggestion. Undefined at the cap: then only the old bytes can be sent again.
 */
export function raiseFees(last: Fees, suggestion: Fees): Fees | undefined {
  const raised = {
    maxFeePerGas: larger(eighthMore(last.maxFeePerGas), suggestion.maxFeePerGas),
    maxPriorityFeePerGas: larger(eighthMore(last.maxPriorityFeePerGas), suggestion.maxPriorityFeePerGas),
  }
  return raised.maxFeePerGas > suggestion.maxFeePerGas * capFactor ? undefined : raised
}

/** Never the same value: on a chain without fees equal fees would make the very same transaction. */
function eighthMore(value: bigint): bigint {
  return value + larger(1n, (value + 7n) / 8n)
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
