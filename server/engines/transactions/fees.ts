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

/** The same fees, none of them above `most`. */
export function capFees({ maxFeePerGas, maxPriorityFeePerGas }: Fees, most: bigint): Fees {
  return {
    maxFeePerGas: smaller(maxFeePerGas, most),
    maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, most),
  }
}

/**
 * Fees of a replacement: both fields at least 12.5 % above the last attempt (nodes want 10 %), at least the suggestion,
 * at most five times the suggestion and at most `most`. Undefined at the cap: then only the old bytes can be sent again.
 */
export function raiseFees(last: Fees, suggestion: Fees, most: bigint): Fees | undefined {
  const raised = {
    maxFeePerGas: larger(eighthMore(last.maxFeePerGas), suggestion.maxFeePerGas),
    maxPriorityFeePerGas: larger(eighthMore(last.maxPriorityFeePerGas), suggestion.maxPriorityFeePerGas),
  }
  return raised.maxFeePerGas > smaller(suggestion.maxFeePerGas * capFactor, most) ? undefined : raised
}

/** Never the same value: on a chain without fees equal fees would make the very same transaction. */
function eighthMore(value: bigint): bigint {
  return value + larger(1n, (value + 7n) / 8n)
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
