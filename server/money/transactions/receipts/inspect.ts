import type { TransactionReceipt } from 'viem'
import { findReceipt } from '../lane/chain-view.ts'
import type { Tick } from '../lane/context.ts'
import { isParked } from '../store.ts'
import type { LaneTransaction, ReceiptOutcome } from '../types.ts'

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
export async function inspect(tick: Tick, transaction: LaneTransaction): Promise<Finding> {
  if (transaction.blockNumber !== null) return inspectMined(tick, transaction, transaction.blockNumber)
  // A parked transaction too: the lowest unused nonce blocks all later ones until it is mined.
  if (transaction.nonce >= tick.view.minedNonce) return { kind: 'unmined' }
  const receipt = await receiptOf(tick, transaction)
  if (receipt) return weigh(tick, transaction, receipt)
  return isParked(transaction) ? nothing : { kind: 'nonce used' }
}

async function inspectMined(tick: Tick, transaction: LaneTransaction, blockNumber: number): Promise<Finding> {
  const canonical = await tick.view.blockHash(blockNumber)
  if (canonical !== transaction.blockHash) return inspectMoved(tick, transaction, canonical)
  if (transaction.status !== 'mined' || blockNumber > tick.view.depth.counted) return nothing
  const receipt = await receiptOf(tick, transaction)
  return receipt ? weigh(tick, transaction, receipt) : nothing
}

/** The block it was mined in is not at its height: the chain was reorganised, or the node is behind. */
async function inspectMoved(
  tick: Tick,
  transaction: LaneTransaction,
  canonical: string | undefined,
): Promise<Finding> {
  const receipt = await receiptOf(tick, transaction)
  if (receipt) return weigh(tick, transaction, receipt)
  if (canonical !== undefined) return { kind: 'vanished' }
  // Without a block at that height nothing is certain. Sending the same bytes again can do no harm.
  return transaction.nonce >= tick.view.minedNonce ? { kind: 'unmined' } : nothing
}

async function weigh(
  tick: Tick,
  transaction: LaneTransaction,
  receipt: TransactionReceipt,
): Promise<Finding> {
  if (receipt.blockNumber <= tick.view.depth.counted) {
    const outcome = await evaluateReceipt(tick, transaction, receipt)
    if (outcome.kind !== 'wait') return { kind: 'decided', receipt, outcome }
  }
  const isKnown = transaction.blockHash === receipt.blockHash || isParked(transaction)
  return isKnown ? nothing : { kind: 'mined', receipt }
}

async function evaluateReceipt(
  tick: Tick,
  transaction: LaneTransaction,
  receipt: TransactionReceipt,
): Promise<ReceiptOutcome> {
  const { purpose, entityId } = transaction
  if (purpose === 'noop' || entityId === null) return { kind: 'final', apply: async () => undefined }
  return tick.handlers[purpose].evaluateReceipt({ ...transaction, entityId }, receipt, tick.view.depth)
}

function receiptOf(tick: Tick, transaction: LaneTransaction) {
  const dearestFirst = transaction.attempts.map((attempt) => attempt.hash).reverse()
  return findReceipt(tick.chain.client, tick.view, tick.address, dearestFirst)
}
