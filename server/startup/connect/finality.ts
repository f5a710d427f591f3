import type { PublicClient } from 'viem'
import { isOfSilentNode } from '../../chain/client.ts'
import { type Finality, taggedBlock } from '../../chain/finality.ts'
import { nodeErrorText } from '../../chain/rpc-errors.ts'

/** Blocks after which a chain that has a first safe or finalized block at all would have named it. */
const youngChain = 10_000

/** How far a node is with the block tag that receipts have to reach. */
export type TagState =
  | { state: 'unused' }
  | { state: 'known'; block: number; head: number }
  /** No receipt would ever count. */
  | { state: 'unknown'; why: string }

/** Asks the node for the block that carries the tag. @throws what viem throws where the node does not answer */
export async function askForTag(client: PublicClient, finality: Finality): Promise<TagState> {
  const { tag } = finality
  if (!tag) return { state: 'unused' }
  try {
    const [block, head] = await Promise.all([taggedBlock(client, finality), client.getBlockNumber()])
    if (block === undefined || (block === 0 && head > youngChain))
      return { state: 'unknown', why: `the node has no ${tag} block` }
    return { state: 'known', block, head: Number(head) }
  } catch (error) {
    if (isOfSilentNode(error)) throw error
    return { state: 'unknown', why: `the node does not know the block tag ${tag} (${nodeErrorText(error)})` }
  }
}
