import type { TransactionReceipt } from 'viem'
import { type ChainView, findReceipt } from './chain-view.ts'
import type { LaneContext } from './lane-context.ts'
import { isParked } from './store.ts'
import type { LaneTransaction, ReceiptOutcome } from './types.ts'

/** What one look at a transaction found. */
export type Finding =
  | { kind: 'nothing' }
  /** Its nonce is unused: it must be in the mempool, or be put there. */
  | { kind: 'unmined' }
  /** Its nonce is used up and no receipt of ours is to be had. */
  | { kind: 'nonce used' }
  /** The block it was in is no longer canonical, and it is in no other. */
  | { kind: 'vanished' }
  /** Mined, but not deep enough to mean anything yet. */
  | { kind: 'mined'; receipt: TransactionReceipt }
  /** Mined and deep enough. */
  | { kind: 'verdict'; receipt: TransactionReceipt; judgement: Exclude<ReceiptOutcome, { verdict: 'wait' }> }

const nothing: Finding = { kind: 'nothing' }

/** Looks at one transaction of a lane. Reads the chain only; whatever follows is for the caller to store. */
export async function inspect(
  context: LaneContext,
  view: ChainView,
  transaction: LaneTransaction,
): Promise<Finding> {
  if (transaction.blockNumber !== null)
    return inspectMined(context, view, transaction, transaction.blockNumber)
  // Whoever it waits for: the lowest unused nonce blocks all others until it is mined.
  if (transaction.nonce >= view.minedNonce) return { kind: 'unmined' }
  const receipt = await receiptOf(context, view, transaction)
  if (receipt) return weigh(context, view, transaction, receipt)
  return isParked(transaction) ? nothing : { kind: 'nonce used' }
}

async function inspectMined(
  context: LaneContext,
  view: ChainView,
  transaction: LaneTransaction,
  blockNumber: number,
): Promise<Finding> {
  const canonical = await view.blockHash(blockNumber)
  if (canonical !== transaction.blockHash) return inspectMoved(context, view, transaction, canonical)
  if (transaction.status !== 'mined' || blockNumber > view.depth.counted) return nothing
  const receipt = await receiptOf(context, view, transaction)
  return receipt ? weigh(context, view, transaction, receipt) : nothing
}

/** The block it was in is not where it was: the chain was reorganised, or the node is behind. */
async function inspectMoved(
  context: LaneContext,
  view: ChainView,
  transaction: LaneTransaction,
  canonical: string | undefined,
): Promise<Finding> {
  const receipt = await receiptOf(context, view, transaction)
  if (receipt) return weigh(context, view, transaction, receipt)
  if (canonical !== undefined) return { kind: 'vanished' }
  // Without a block at that height nothing is known but that sending the same bytes again can do no harm.
  return transaction.nonce >= view.minedNonce ? { kind: 'unmined' } : nothing
}

async function weigh(
  context: LaneContext,
  view: ChainView,
  transaction: LaneTransaction,
  receipt: TransactionReceipt,
): Promise<Finding> {
  if (receipt.blockNumber <= view.depth.counted) {
    const judgement = await evaluateReceipt(context, view, transaction, receipt)
    if (judgement.verdict !== 'wait') return { kind: 'verdict', receipt, judgement }
  }
  const isKnown = transaction.blockHash === receipt.blockHash || isParked(transaction)
  return isKnown ? nothing : { kind: 'mined', receipt }
}

async function evaluateReceipt(
  context: LaneContext,
  view: ChainView,
  transaction: LaneTransaction,
  receipt: TransactionReceipt,
): Promise<ReceiptOutcome> {
  const { purpose, entityId } = transaction
  if (purpose === 'noop' || entityId === null) return { verdict: 'final', apply: async () => undefined }
  return context.handlers[purpose].evaluateReceipt({ ...transaction, entityId }, receipt, view.depth)
}

function receiptOf(context: LaneContext, view: ChainView, transaction: LaneTransaction) {
  const dearestFirst = transaction.attempts.map((attempt) => attempt.hash).reverse()
  return findReceipt(context.chain.client, view, context.address, dearestFirst)
}
