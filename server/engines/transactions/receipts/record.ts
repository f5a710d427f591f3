import type { TransactionReceipt } from 'viem'
import { nodeErrorText } from '../../../chain/rpc-errors.ts'
import { LeaseLostError } from '../../../db/lease.ts'
import { emitStep } from '../../events.ts'
import { describeProblem, type Problem } from '../../problems.ts'
import { alarmOperator, logOnError, type Tick } from '../lane/context.ts'
import { underLease } from '../lane/lease.ts'
import { isParked } from '../store.ts'
import type { LaneTransaction, Purpose } from '../types.ts'
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

type Decided = Extract<Finding, { kind: 'decided' }>
type Mined = Extract<Finding, { kind: 'mined' }>

/** A transaction and what the chain shows of it. */
export interface Found<Kind extends Finding = Finding> {
  transaction: LaneTransaction
  finding: Kind
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
  const settled = await settleFastPath(tick, news.filter(isFastPath))
  await recordNewlyMined(tick, news.filter(isNewlyMined))
  let isComplete = true
  for (const one of news)
    if (!settled.has(one.transaction.id) && !(await isRecorded(tick, one))) isComplete = false
  const unchanged = found
    .filter(({ transaction, finding }) => finding.kind === 'nothing' && isParked(transaction))
    .map(({ transaction }) => transaction.id)
  if (unchanged.length > 0) await underLease(tick.db, tick.lease, (trx) => recordUnchanged(trx, unchanged))
  return { changed: news.length > 0, isComplete }
}

function isFastPath(found: Found): found is Found<Decided> {
  const { transaction, finding } = found
  const isOpen = transaction.status === 'unconfirmed' || transaction.status === 'mined'
  return (
    isOpen &&
    finding.kind === 'decided' &&
    finding.outcome.kind === 'final' &&
    finding.outcome.fastPath === true
  )
}

function isNewlyMined(found: Found): found is Found<Mined> {
  return found.finding.kind === 'mined'
}

/** Lets the handlers store all plain successes, together for each purpose. Returns the ids they settled. */
async function settleFastPath(tick: Tick, found: Found<Decided>[]): Promise<Set<number>> {
  const done = new Set<number>()
  for (const purpose of Object.keys(tick.handlers) as Purpose[]) {
    const own = found.filter(({ transaction }) => transaction.purpose === purpose)
    const { settle } = tick.handlers[purpose]
    if (own.length === 0 || !settle) continue
    const settled = await settle(
      tick.lease,
      own.map((one) => ({ ...minedOf(one), entityId: one.transaction.entityId as string })),
    )
    for (const { transaction, finding } of own) {
      if (!settled.has(transaction.id)) continue
      done.add(transaction.id)
      reportDecided(tick, transaction, finding.receipt)
    }
  }
  if (done.size > 0) tick.onOutcome()
  return done
}

/** Stores in which blocks transactions were mined that are not deep enough yet. */
async function recordNewlyMined(tick: Tick, found: Found<Mined>[]): Promise<void> {
  if (found.length === 0) return
  await underLease(tick.db, tick.lease, (trx) => recordMined(trx, found.map(minedOf), 'mined'))
  for (const one of found) {
    const { id, entityId } = one.transaction
    const { hash, blockNumber: block } = minedOf(one)
    emitStep('receipt recorded', entityId)
    tick.log.info(
      { transaction: id, entityId, hash, block },
      'a transaction is mined; it counts when it is deep enough',
    )
  }
}

/** Records one finding. A failure is logged: the other transactions of the lane do not wait for this one. */
async function isRecorded(tick: Tick, found: Found): Promise<boolean> {
  const { id, entityId } = found.transaction
  try {
    await record(tick, found)
    return true
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    tick.log.warn(
      { transaction: id, entityId, reason: nodeErrorText(error) },
      'could not store what was found about a transaction; trying again',
    )
    return false
  }
}

async function record(tick: Tick, { transaction, finding }: Found): Promise<void> {
  const { id, entityId, nonce } = transaction
  if (finding.kind === 'nonce used') await recordUsedNonce(tick, transaction)
  else if (finding.kind === 'decided') await recordDecided(tick, { transaction, finding })
  else if (finding.kind === 'vanished') {
    tick.log.warn({ transaction: id, entityId, nonce }, 'a receipt vanished; sending again')
    await underLease(tick.db, tick.lease, (trx) => recordVanished(trx, id))
  }
}

async function recordDecided(tick: Tick, found: Found<Decided>): Promise<void> {
  const { transaction, finding } = found
  const { receipt, outcome } = finding
  if (outcome.kind === 'anomaly') return callOperator(tick, transaction, outcome.problem)
  const problem = await underLease(tick.db, tick.lease, async (trx) => {
    await recordMined(trx, [minedOf(found)], statusOf(receipt))
    return outcome.apply(trx)
  })
  reportDecided(tick, transaction, receipt)
  tick.onOutcome()
  if (problem) alarmOperator(tick, transaction, problem)
}

function reportDecided({ log }: Tick, transaction: LaneTransaction, receipt: TransactionReceipt): void {
  const { id, purpose, entityId } = transaction
  emitStep('outcome stored', entityId)
  log.info(
    { transaction: id, purpose, entityId, hash: receipt.transactionHash },
    `a transaction is ${statusOf(receipt)}`,
  )
}

function statusOf(receipt: TransactionReceipt): 'confirmed' | 'reverted' {
  return receipt.status === 'success' ? 'confirmed' : 'reverted'
}

async function recordUsedNonce(tick: Tick, transaction: LaneTransaction): Promise<void> {
  const { id, purpose } = transaction
  const problem: Problem = { kind: 'nonce_used_elsewhere' }
  const checks = await underLease(tick.db, tick.lease, (trx) =>
    recordReceiptCheck(trx, id, tick.limits.receiptCheckSeconds),
  )
  if (checks < checksBeforeAlarm) return
  // A no-op has nothing to lose: its nonce is used, which is all it was for.
  if (purpose === 'noop')
    return underLease(tick.db, tick.lease, (trx) => recordAbandoned(trx, id, describeProblem(problem)))
  // The other transaction may be a payment of our own that the database has lost.
  await logOnError(tick, 'could not look for lost payments', () => tick.onUnbooked(tick.address))
  await callOperator(tick, transaction, problem)
}

async function callOperator(tick: Tick, transaction: LaneTransaction, problem: Problem): Promise<void> {
  const { id, purpose, entityId } = transaction
  const attempts = transaction.attempts.map(({ hash }) => hash)
  await underLease(tick.db, tick.lease, async (trx) => {
    await recordStuck(trx, id, describeProblem(problem))
    if (purpose !== 'noop' && entityId !== null)
      await tick.handlers[purpose].markStuck(trx, entityId, problem, attempts)
  })
  tick.onOutcome()
  alarmOperator(tick, transaction, problem)
}

function minedOf({ transaction, finding: { receipt } }: Found<Mined | Decided>) {
  return {
    id: transaction.id,
    hash: receipt.transactionHash,
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
  }
}
