import type { TransactionReceipt } from 'viem'
import { emitStep } from '../../../loops/crash-steps.ts'
import { alarmOperator, logOnError, type Tick } from '../lane/context.ts'
import { underLease } from '../lane/lease.ts'
import { isParked } from '../store.ts'
import type { LaneTransaction, Problem } from '../types.ts'
import type { Finding } from './inspect.ts'
import {
  recordAbandoned,
  recordMined,
  recordReceiptCheck,
  recordStuck,
  recordUnchanged,
  recordVanished,
} from './outcomes.ts'

/** Searches for a receipt of ours at a used nonce before the operator is alarmed. */
const checksBeforeAlarm = 8
const nonceUsedElsewhere = 'its nonce was used by a transaction that is not ours'

/** A transaction and what the chain shows of it. */
export interface Found {
  transaction: LaneTransaction
  finding: Finding
}

/**
 * Stores the findings of a tick. `changed` is whether there was anything new among them; `isComplete` is false where some
 * of it could not be stored, which the next tick repeats.
 */
export async function recordFindings(
  tick: Tick,
  found: Found[],
): Promise<{ changed: boolean; isComplete: boolean }> {
  const news = found.filter(({ finding: { kind } }) => kind !== 'nothing' && kind !== 'unmined')
  for (const { transaction, finding } of news)
    if (finding.kind === 'decided' || finding.kind === 'mined') emitStep('receipt seen', transaction.entityId)
  let isComplete = true
  for (const one of news) if (!(await isRecorded(tick, one))) isComplete = false
  const unchanged = found
    .filter(({ transaction, finding }) => finding.kind === 'nothing' && isParked(transaction))
    .map(({ transaction }) => transaction.id)
  if (unchanged.length > 0) await underLease(tick.db, tick.lease, (trx) => recordUnchanged(trx, unchanged))
  return { changed: news.length > 0, isComplete }
}

/** Records one finding. A failure is logged: the other transactions of the lane do not wait for this one. */
function isRecorded(tick: Tick, found: Found): Promise<boolean> {
  const { id, entityId } = found.transaction
  const failure = 'could not store what was found about a transaction; trying again'
  return logOnError(tick, failure, () => record(tick, found), { transaction: id, entityId })
}

async function record(tick: Tick, { transaction, finding }: Found): Promise<void> {
  const { id, entityId, nonce } = transaction
  if (finding.kind === 'nonce used') await recordUsedNonce(tick, transaction)
  else if (finding.kind === 'mined') await recordNewlyMined(tick, transaction, finding.receipt)
  else if (finding.kind === 'decided') await recordDecided(tick, transaction, finding)
  else if (finding.kind === 'vanished') {
    tick.log.warn({ transaction: id, entityId, nonce }, 'a receipt vanished; sending again')
    await underLease(tick.db, tick.lease, (trx) => recordVanished(trx, id))
  }
}

/** Stores in which block a transaction was mined that is not deep enough yet. */
async function recordNewlyMined(
  tick: Tick,
  { id, entityId }: LaneTransaction,
  receipt: TransactionReceipt,
): Promise<void> {
  await underLease(tick.db, tick.lease, (trx) => recordMined(trx, id, receipt, 'mined'))
  emitStep('receipt recorded', entityId)
  tick.log.info(
    { transaction: id, entityId, hash: receipt.transactionHash, block: Number(receipt.blockNumber) },
    'a transaction is mined; it counts when it is deep enough',
  )
}

async function recordDecided(
  tick: Tick,
  transaction: LaneTransaction,
  { receipt, outcome }: Extract<Finding, { kind: 'decided' }>,
): Promise<void> {
  const { id, purpose, entityId } = transaction
  const status = receipt.status === 'success' ? 'confirmed' : 'reverted'
  if (outcome.kind === 'anomaly') return callOperator(tick, transaction, outcome.problem)
  const problem = await underLease(tick.db, tick.lease, async (trx) => {
    await recordMined(trx, id, receipt, status)
    return outcome.apply(trx)
  })
  emitStep('outcome stored', entityId)
  tick.log.info(
    { transaction: id, purpose, entityId, hash: receipt.transactionHash },
    `a transaction is ${status}`,
  )
  if (entityId !== null) tick.onOutcome(entityId)
  if (problem) alarmOperator(tick, transaction, problem)
}

async function recordUsedNonce(tick: Tick, transaction: LaneTransaction): Promise<void> {
  const { id, purpose } = transaction
  const checks = await underLease(tick.db, tick.lease, (trx) =>
    recordReceiptCheck(trx, id, tick.limits.receiptCheckSeconds),
  )
  if (checks < checksBeforeAlarm) return
  // A no-op has nothing to lose: its nonce is used, which is all it was for.
  if (purpose === 'noop')
    return underLease(tick.db, tick.lease, (trx) => recordAbandoned(trx, id, nonceUsedElsewhere))
  // The other transaction may be a payment of our own that the database has lost.
  await logOnError(tick, 'could not look for lost payments', () => tick.onUnbooked(tick.address))
  await callOperator(tick, transaction, nonceUsedElsewhere)
}

async function callOperator(tick: Tick, transaction: LaneTransaction, problem: Problem): Promise<void> {
  const { id, purpose, entityId } = transaction
  const attempts = transaction.attempts.map(({ hash }) => hash)
  await underLease(tick.db, tick.lease, async (trx) => {
    await recordStuck(trx, id, problem)
    if (purpose !== 'noop' && entityId !== null)
      await tick.handlers[purpose].markStuck(trx, entityId, problem, attempts)
  })
  if (entityId !== null) tick.onOutcome(entityId)
  alarmOperator(tick, transaction, problem)
}
