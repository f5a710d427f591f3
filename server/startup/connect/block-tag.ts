import type { PublicClient } from 'viem'
import { isOfSilentNode } from '../../chain/client.ts'
import { type Finality, taggedBlock } from '../../chain/finality.ts'
import { nodeErrorText } from '../../chain/rpc-errors.ts'

/** A chain that supports the tag has a first such block before it has this many blocks. */
const youngChain = 10_000

/** The block that carries the tag which receipts have to reach. */
export type TagState =
  | { state: 'unused' }
  | { state: 'known'; block: number; head: number }
  /** No receipt would ever count. */
  | { state: 'unknown'; why: string }

/** Reads the block that carries the tag. @throws what viem throws when the node does not reply */
export async function readTag(client: PublicClient, finality: Finality): Promise<TagState> {
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
