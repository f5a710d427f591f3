import type { Address, Hex } from 'viem'
import { nodeErrorText } from '../../config/node-error-text.ts'
import type { Chain } from './chain.ts'
import { isOfSilentNode } from './client.ts'
import { isRevert } from './rpc-errors.ts'

/** The gas that a call needs, or why the chain refuses the call. */
export type Estimate = { gas: bigint } | { refusal: string; error: unknown }

/** A node has replied, and nobody can say by its reply whether the chain refuses the call. */
export class UnclearReplyError extends Error {
  override name = 'UnclearReplyError'
}

/**
 * Estimates the gas of a call as of the block `head`. A refusal is one by the newest state that is known, and told from the
 * call itself where the node's error does not show it: nodes have many words for both.
 * @throws UnclearReplyError, or the error of a node that did not reply or is behind
 */
export async function estimateGas(
  { client, newestBlock }: Pick<Chain, 'client' | 'newestBlock'>,
  { from: account, ...call }: { from: Address; to: Address; data: Hex },
  head: number,
): Promise<Estimate> {
  const as = { account, ...call, blockNumber: BigInt(head) }
  try {
    return { gas: await client.estimateGas(as) }
  } catch (error) {
    if (isOfSilentNode(error)) throw error
    const newest = newestBlock()
    if (head < newest) throw new Error(`the node is behind: it has block ${head}, and ${newest} is known`)
    const refused = isRevert(error)
      ? error
      : await client.call(as).then(
          () => undefined,
          (failure) => failure,
        )
    if (isRevert(refused)) return { refusal: nodeErrorText(refused), error: refused }
    throw new UnclearReplyError(nodeErrorText(error))
  }
}
