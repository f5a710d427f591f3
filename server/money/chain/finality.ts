import type { PublicClient } from 'viem'
import type { Config } from '../../config/config.ts'

/** When a receipt counts, and when it is final. */
export interface Finality {
  /** Blocks, the mined one included, after which a receipt counts. */
  confirmations: number
  /** Where set, the receipt's block must also be at or below the block with this tag. */
  tag: 'safe' | 'finalized' | null
  /** Blocks after which a receipt that counts is no longer checked. */
  finalityBlocks: number
}

/** Block numbers from one view of the chain; below 0 where there is no such block yet. */
export interface Depth {
  /** The newest block. */
  head: number
  /** The newest block whose receipts count. */
  counted: number
  /** The newest block whose receipts are no longer checked. */
  final: number
}

/** Chains on a developer's machine. They may mine only on demand, so a second block need not come. */
const developmentChains = [31_337, 1337]
/**
 * Measured with reorganisations of up to three blocks and founders who empty their wallets in between: with one
 * confirmation 8 of 359 bounties were done and in the end unpaid, with four none.
 */
const usualConfirmations = 5

/** The settings of finality. */
export type FinalitySettings = Pick<Config, 'CONFIRMATIONS' | 'FINALITY' | 'FINALITY_BLOCKS'>

/** The finality of a chain by the settings. */
export function finalityOf(config: FinalitySettings, chainId: number): Finality {
  const { FINALITY: tag, FINALITY_BLOCKS: finalityBlocks } = config
  const confirmations = config.CONFIRMATIONS ?? (developmentChains.includes(chainId) ? 1 : usualConfirmations)
  return { confirmations, tag: tag === 'confirmations' ? null : tag, finalityBlocks }
}

/** The depths below `head`. @throws the node's error where it does not know the tag */
export async function depthBelow(client: PublicClient, head: number, finality: Finality): Promise<Depth> {
  return depthOf(head, await taggedBlock(client, finality), finality)
}

/** Blocks by which the chain's pace is measured. */
const paceBlocks = 100

/** Seconds until a block is final, at the pace of the newest blocks; at least 1. */
export async function secondsToFinal(
  client: PublicClient,
  block: number,
  finality: Finality,
): Promise<number> {
  const head = await client.getBlock()
  const number = Number(head.number)
  const first = Math.max(0, number - paceBlocks)
  const [{ final }, { timestamp }] = await Promise.all([
    depthBelow(client, number, finality),
    client.getBlock({ blockNumber: BigInt(first) }),
  ])
  const secondsOfBlock = Number(head.timestamp - timestamp) / Math.max(1, number - first)
  return Math.max(1, Math.ceil((block - final) * secondsOfBlock))
}

/** Number of the block with the tag; undefined without a tag. */
export async function taggedBlock(client: PublicClient, { tag }: Finality): Promise<number | undefined> {
  if (!tag) return undefined
  const { number } = await client.getBlock({ blockTag: tag })
  return Number(number)
}

/** The depths below `head`; `tagged` is the block with the tag. */
export function depthOf(head: number, tagged: number | undefined, finality: Finality): Depth {
  const counted = Math.min(head - finality.confirmations + 1, tagged ?? head)
  return { head, counted, final: Math.min(counted, head - finality.finalityBlocks + 1) }
}
