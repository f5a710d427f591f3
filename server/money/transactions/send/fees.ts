import { type Address, formatGwei } from 'viem'
import type { RaiseAlarm } from '../../../loops/alarms.ts'
import type { Chain } from '../../chain/chain.ts'
import type { Fees } from '../types.ts'

/** The most a replacement may cost, as a multiple of the node's suggestion. */
const capFactor = 5n

interface SuggestContext {
  chain: Pick<Chain, 'client'>
  limits: { maxFeePerGas: bigint }
  address: Address
  alarm: RaiseAlarm
}

/** A function that asks the node for its suggestion once, capped by what an operator lets a transaction offer. */
export function suggestOnce(context: SuggestContext): () => Promise<Fees> {
  let suggestion: Promise<Fees> | undefined
  return () => {
    suggestion ??= suggestFees(context)
    return suggestion
  }
}

async function suggestFees({ chain, limits, address, alarm }: SuggestContext): Promise<Fees> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await chain.client.estimateFeesPerGas()
  if (maxFeePerGas > limits.maxFeePerGas)
    alarm({
      kind: 'fees_at_cap',
      lane: address.toLowerCase(),
      why: `the node suggests ${formatGwei(maxFeePerGas)} gwei per gas, more than MAX_FEE_GWEI allows`,
    })
  return capFees({ maxFeePerGas, maxPriorityFeePerGas }, limits.maxFeePerGas)
}

/** The same fees, neither above `most`. */
export function capFees({ maxFeePerGas, maxPriorityFeePerGas }: Fees, most: bigint): Fees {
  return {
    maxFeePerGas: smaller(maxFeePerGas, most),
    maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, most),
  }
}

/**
 * Fees of a replacement: both fields at least 12.5 % above the last attempt (nodes want 10 %) and at least the
 * suggestion. Undefined where that is more than five times the suggestion or more than `most`: then only the old bytes
 * can be sent again.
 */
export function raiseFees(last: Fees, suggestion: Fees, most: bigint): Fees | undefined {
  const raised = {
    maxFeePerGas: larger(eighthMore(last.maxFeePerGas), suggestion.maxFeePerGas),
    maxPriorityFeePerGas: larger(eighthMore(last.maxPriorityFeePerGas), suggestion.maxPriorityFeePerGas),
  }
  return raised.maxFeePerGas > smaller(suggestion.maxFeePerGas * capFactor, most) ? undefined : raised
}

/** Never returns `value` itself: on a chain without fees, equal fees would make the same transaction. */
function eighthMore(value: bigint): bigint {
  return value + larger(1n, (value + 7n) / 8n)
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
