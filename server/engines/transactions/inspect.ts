import type { TransactionReceipt } from 'viem'
import { type ChainView, findReceipt } from './chain-view.ts'
import type { LaneContext } from './lane-context.ts'
import { isParked } from './store.ts'
import type { LaneTransaction, ReceiptOutcome } from './types.ts'

/** What the chain shows of a transaction at one tick. */
export type Finding =
  | { kind: 'nothing' }
  /** Its nonce is unused: it has to be in the mempool, or be sent. */
  | { kind: 'unmined' }
  /** Its nonce is used, and no receipt of ours is found. */
  | { kind: 'nonce used' }
  /** Its block is no longer canonical, and it is in no other. */
  | { kind: 'vanished' }
  /** Mined, but not deep enough to count yet. */
  | { kind: 'mined'; receipt: TransactionReceipt }
  /** Mined and deep enough. */
  | { kind: 'decided'; receipt: TransactionReceipt; outcome: Exclude<ReceiptOutcome, { kind: 'wait' }> }

const nothing: Finding = { kind: 'nothing' }

/** Checks one transaction of a lane against the chain. It only reads; the caller stores the finding. */
export async function inspect(
  context: LaneContext,
  view: ChainView,
  transaction: LaneTransaction,
): Promise<Finding> {
  if (transaction.blockNumber !== null)
    return inspectMined(context, view, transaction, transaction.blockNumber)
  // A parked transaction too: the lowest unused nonce blocks all later ones until it is mined.
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

/** The block it was mined in is not at its height: the chain was reorganised, or the node is behind. */
async function inspectMoved(
  context: LaneContext,
  view: ChainView,
  transaction: LaneTransaction,
  canonical: string | undefined,
): Promise<Finding> {
  const receipt = await receiptOf(context, view, transaction)
  if (receipt) return weigh(context, view, transaction, receipt)
  if (canonical !== undefined) return { kind: 'vanished' }
  // Without a block at that height nothing is certain. Sending the same bytes again can do no harm.
  return transaction.nonce >= view.minedNonce ? { kind: 'unmined' } : nothing
}

async function weigh(
  context: LaneContext,
  view: ChainView,
  transaction: LaneTransaction,
  receipt: TransactionReceipt,
): Promise<Finding> {
  if (receipt.blockNumber <= view.depth.counted) {
    const outcome = await evaluateReceipt(context, view, transaction, receipt)
    if (outcome.kind !== 'wait') return { kind: 'decided', receipt, outcome }
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
  if (purpose === 'noop' || entityId === null) return { kind: 'final', apply: async () => undefined }
  return context.handlers[purpose].evaluateReceipt({ ...transaction, entityId }, receipt, view.depth)
}

function receiptOf(context: LaneContext, view: ChainView, transaction: LaneTransaction) {
  const dearestFirst = transaction.attempts.map((attempt) => attempt.hash).reverse()
  return findReceipt(context.chain.client, view, context.address, dearestFirst)
}
