import type { TransactionReceipt } from 'viem'
import { emitStep, traceWork } from '../events.ts'
import { describeProblem, type Problem } from '../problems.ts'
import type { Finding } from './inspect.ts'
import { alarmOperator, type LaneContext, logOnError } from './lane-context.ts'
import { type LaneLease, underLease } from './lane-lease.ts'
import {
  recordAbandoned,
  recordMined,
  recordReceiptCheck,
  recordStuck,
  recordUnchanged,
  recordVanished,
} from './receipt-outcomes.ts'
import { isParked } from './store.ts'
import type { LaneTransaction, Purpose } from './types.ts'

/** Searches for a receipt of ours at a used nonce before the operator is alarmed. */
const checksBeforeAlarm = 8

type Decided = Extract<Finding, { kind: 'decided' }>
type Mined = Extract<Finding, { kind: 'mined' }>

/** A transaction and what the chain shows of it. */
export interface Found<Kind extends Finding = Finding> {
  transaction: LaneTransaction
  finding: Kind
}

/** Stores the findings of a tick. Returns whether there was anything new among them. */
export async function recordFindings(
  context: LaneContext,
  lease: LaneLease,
  found: Found[],
): Promise<boolean> {
  const news = found.filter(({ finding: { kind } }) => kind !== 'nothing' && kind !== 'unmined')
  for (const { transaction, finding } of news)
    if (finding.kind === 'decided' || finding.kind === 'mined') emitStep('receipt seen', transaction.entityId)
  const settled = await settleFastPath(context, lease, news.filter(isFastPath))
  await recordNewlyMined(context, lease, news.filter(isNewlyMined))
  for (const one of news)
    if (!settled.has(one.transaction.id))
      await traceWork(one.transaction.entityId, () => record(context, lease, one))
  const unchanged = found
    .filter(({ transaction, finding }) => finding.kind === 'nothing' && isParked(transaction))
    .map(({ transaction }) => transaction.id)
  if (unchanged.length > 0) await underLease(context.db, lease, (trx) => recordUnchanged(trx, unchanged))
  return news.length > 0
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

/** Lets the handlers store all plain successes, one statement for each purpose. Returns the ids they settled. */
async function settleFastPath(
  context: LaneContext,
  lease: LaneLease,
  found: Found<Decided>[],
): Promise<Set<number>> {
  const done = new Set<number>()
  for (const purpose of Object.keys(context.handlers) as Purpose[]) {
    const own = found.filter(({ transaction }) => transaction.purpose === purpose)
    const { settle } = context.handlers[purpose]
    if (own.length === 0 || !settle) continue
    const settled = await settle(
      lease,
      own.map((one) => ({ ...minedOf(one), entityId: one.transaction.entityId as string })),
    )
    for (const { transaction, finding } of own) {
      if (!settled.has(transaction.id)) continue
      done.add(transaction.id)
      reportDecided(context, transaction, finding.receipt)
    }
  }
  if (done.size > 0) context.onOutcome()
  return done
}

/** Stores in which blocks transactions were mined that are not deep enough yet. */
async function recordNewlyMined(
  context: LaneContext,
  lease: LaneLease,
  found: Found<Mined>[],
): Promise<void> {
  if (found.length === 0) return
  await underLease(context.db, lease, (trx) => recordMined(trx, found.map(minedOf), 'mined'))
  for (const one of found) {
    const { id, entityId } = one.transaction
    const { hash, blockNumber: block } = minedOf(one)
    emitStep('receipt recorded', entityId)
    context.log.info(
      { transaction: id, entityId, hash, block },
      'a transaction is mined; it counts when it is deep enough',
    )
  }
}

async function record(
  context: LaneContext,
  lease: LaneLease,
  { transaction, finding }: Found,
): Promise<void> {
  const { id, entityId, nonce } = transaction
  if (finding.kind === 'nonce used') await recordUsedNonce(context, lease, transaction)
  else if (finding.kind === 'decided') await recordDecided(context, lease, { transaction, finding })
  else if (finding.kind === 'vanished') {
    context.log.warn({ transaction: id, entityId, nonce }, 'a receipt vanished; sending again')
    await underLease(context.db, lease, (trx) => recordVanished(trx, id))
  }
}

async function recordDecided(context: LaneContext, lease: LaneLease, found: Found<Decided>): Promise<void> {
  const { transaction, finding } = found
  const { receipt, outcome } = finding
  if (outcome.kind === 'anomaly') return callOperator(context, lease, transaction, outcome.problem)
  const problem = await underLease(context.db, lease, async (trx) => {
    await recordMined(trx, [minedOf(found)], statusOf(receipt))
    return outcome.apply(trx)
  })
  reportDecided(context, transaction, receipt)
  context.onOutcome()
  if (problem) alarmOperator(context, transaction, problem)
}

function reportDecided(
  { log }: LaneContext,
  transaction: LaneTransaction,
  receipt: TransactionReceipt,
): void {
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

async function recordUsedNonce(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
): Promise<void> {
  const { id, purpose } = transaction
  const problem: Problem = { kind: 'nonce_used_elsewhere' }
  const checks = await underLease(context.db, lease, (trx) =>
    recordReceiptCheck(trx, id, context.limits.receiptCheckSeconds),
  )
  if (checks < checksBeforeAlarm) return
  // A no-op has nothing to lose: its nonce is used, which is all it was for.
  if (purpose === 'noop')
    return underLease(context.db, lease, (trx) => recordAbandoned(trx, id, describeProblem(problem)))
  // The other transaction may be a payment of our own that the database has lost.
  await logOnError(context, 'could not look for lost payments', () => context.onUnbooked(context.address))
  await callOperator(context, lease, transaction, problem)
}

async function callOperator(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
  problem: Problem,
): Promise<void> {
  const { id, purpose, entityId } = transaction
  await underLease(context.db, lease, async (trx) => {
    await recordStuck(trx, id, describeProblem(problem))
    if (purpose !== 'noop' && entityId !== null)
      await context.handlers[purpose].markStuck(trx, entityId, problem)
  })
  context.onOutcome()
  alarmOperator(context, transaction, problem)
}

function minedOf({ transaction, finding: { receipt } }: Found<Mined | Decided>) {
  return {
    id: transaction.id,
    hash: receipt.transactionHash,
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
  }
}
