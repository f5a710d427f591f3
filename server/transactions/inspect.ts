import type { Address, TransactionReceipt } from 'viem'
import type { LaneContext } from './lane.ts'
import { findReceipt, type View } from './node.ts'
import type { Judgement, LaneTransaction } from './types.ts'

/** What one look at a transaction found. */
export type Finding =
  | { kind: 'nothing' }
  /** Its nonce is unused: it must be in the mempool, or be put there. */
  | { kind: 'unmined' }
  /** Its nonce is used up and no receipt of ours is to be had. */
  | { kind: 'nonce used' }
  /** The block it was in is no longer canonical. */
  | { kind: 'vanished' }
  | { kind: 'final' }
  /** Mined, but not deep enough to mean anything yet. */
  | { kind: 'mined'; receipt: TransactionReceipt }
  /** Mined and deep enough. */
  | { kind: 'verdict'; receipt: TransactionReceipt; judgement: Judgement }

/** Looks at one transaction of a lane. Reads the chain only; whatever follows is for the caller to store. */
export async function inspect(
  context: LaneContext,
  view: View,
  transaction: LaneTransaction,
): Promise<Finding> {
  if (transaction.status === 'needs_operator' || transaction.status === 'abandoned')
    return { kind: 'nothing' }
  if (transaction.blockNumber !== null)
    return inspectMined(context, view, transaction, transaction.blockNumber)
  if (transaction.nonce >= view.minedNonce) return { kind: 'unmined' }
  const receipt = await receiptOf(context, view, transaction)
  return receipt ? weigh(context, view, transaction, receipt) : { kind: 'nonce used' }
}

async function inspectMined(
  context: LaneContext,
  view: View,
  transaction: LaneTransaction,
  blockNumber: number,
): Promise<Finding> {
  if ((await view.blockHash(blockNumber)) !== transaction.blockHash) return { kind: 'vanished' }
  const depth = view.headNumber - blockNumber + 1
  if (transaction.status !== 'mined')
    return { kind: depth >= context.limits.finalityBlocks && !transaction.isFinal ? 'final' : 'nothing' }
  if (depth < context.limits.confirmations) return { kind: 'nothing' }
  const receipt = await receiptOf(context, view, transaction)
  return receipt ? weigh(context, view, transaction, receipt) : { kind: 'nothing' }
}

async function weigh(
  context: LaneContext,
  view: View,
  transaction: LaneTransaction,
  receipt: TransactionReceipt,
): Promise<Finding> {
  const depth = view.headNumber - Number(receipt.blockNumber) + 1
  if (depth < context.limits.confirmations) return { kind: 'mined', receipt }
  return { kind: 'verdict', receipt, judgement: await judge(context, transaction, receipt) }
}

async function judge(
  context: LaneContext,
  transaction: LaneTransaction,
  receipt: TransactionReceipt,
): Promise<Judgement> {
  const { purpose, subject } = transaction
  if (purpose === 'noop' || subject === null) return { apply: async () => undefined }
  return context.owners[purpose].judge({ ...transaction, subject }, receipt)
}

function receiptOf(context: LaneContext, view: View, transaction: LaneTransaction) {
  const sender: Address = context.account.address
  const newestFirst = transaction.attempts.map((attempt) => attempt.hash).reverse()
  return findReceipt(context.chain.client, view, sender, newestFirst)
}
