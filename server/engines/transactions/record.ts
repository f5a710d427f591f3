import type { TransactionReceipt } from 'viem'
import { reached, workFor } from '../events.ts'
import { alarmOperator } from './alarm-operator.ts'
import type { Finding } from './inspect.ts'
import type { LaneContext } from './lane-context.ts'
import { type LaneLease, underLease } from './lane-lease.ts'
import { logOnError } from './log-failure.ts'
import {
  recordAbandoned,
  recordMined,
  recordPlaces,
  recordReceiptCheck,
  recordStuck,
  recordUnchanged,
  recordVanished,
} from './receipt-outcomes.ts'
import { isParked } from './store.ts'
import type { LaneTransaction, Purpose } from './types.ts'

/** Looks at a used-up nonce without a receipt of ours before a person is called. */
const checksBeforeAlarm = 8
const foreign = 'its nonce was used by a transaction that is not ours'

type Verdict = Extract<Finding, { kind: 'verdict' }>
type Mined = Extract<Finding, { kind: 'mined' }>

/** A transaction and what a look at it has found. */
export interface Found<Kind extends Finding = Finding> {
  transaction: LaneTransaction
  finding: Kind
}

/** Stores what the looks of a turn have found. Returns whether anything of it is news. */
export async function recordFindings(
  context: LaneContext,
  lease: LaneLease,
  found: Found[],
): Promise<boolean> {
  const news = found.filter(({ finding: { kind } }) => kind !== 'nothing' && kind !== 'unmined')
  for (const { transaction, finding } of news)
    if (finding.kind === 'verdict' || finding.kind === 'mined') reached('receipt seen', transaction.entityId)
  const settled = await settleFastPath(context, lease, news.filter(isFastPath))
  const placed = await placeMined(context, lease, news.filter(isNewlyMined))
  for (const one of news)
    if (!settled.has(one.transaction.id) && !placed.has(one.transaction.id))
      await workFor(one.transaction.entityId, () => record(context, lease, one))
  const unchanged = found
    .filter(({ transaction, finding }) => finding.kind === 'nothing' && isParked(transaction))
    .map(({ transaction }) => transaction.id)
  if (unchanged.length > 0) await underLease(context.db, lease, (trx) => recordUnchanged(trx, unchanged))
  return news.length > 0
}

function isFastPath(found: Found): found is Found<Verdict> {
  const { transaction, finding } = found
  return (
    isOpen(transaction) &&
    finding.kind === 'verdict' &&
    finding.judgement.verdict === 'final' &&
    finding.judgement.ordinary === true
  )
}

function isNewlyMined(found: Found): found is Found<Mined> {
  return found.finding.kind === 'mined' && isOpen(found.transaction)
}

function isOpen({ status }: LaneTransaction): boolean {
  return status === 'unconfirmed' || status === 'mined'
}

/** What went as it should is stored by its owner, all of it in one statement. Returns the ids it was done for. */
async function settleFastPath(
  context: LaneContext,
  lease: LaneLease,
  found: Found<Verdict>[],
): Promise<Set<number>> {
  const done = new Set<number>()
  for (const purpose of Object.keys(context.handlers) as Purpose[]) {
    const own = found.filter(({ transaction }) => transaction.purpose === purpose)
    const { settle } = context.handlers[purpose]
    if (own.length === 0 || !settle) continue
    const settled = await settle(
      lease,
      own.map(({ transaction: { id, entityId }, finding: { receipt } }) => ({
        id,
        entityId: entityId as string,
        ...placeOf(receipt),
      })),
    )
    for (const { transaction, finding } of own) {
      if (!settled.has(transaction.id)) continue
      done.add(transaction.id)
      told(context, transaction, finding.receipt)
    }
  }
  if (done.size > 0) context.onOutcome()
  return done
}

/** Where transactions were mined that are not deep enough yet, in one statement. Returns the ids it was stored for. */
async function placeMined(
  context: LaneContext,
  lease: LaneLease,
  found: Found<Mined>[],
): Promise<Set<number>> {
  if (found.length === 0) return new Set()
  const placed = await recordPlaces(
    context.db,
    lease,
    found.map(({ transaction: { id }, finding: { receipt } }) => ({ id, ...placeOf(receipt) })),
  )
  for (const { transaction, finding } of found)
    if (placed.has(transaction.id)) reportPosition(context, transaction, finding.receipt)
  return placed
}

async function record(context: LaneContext, lease: LaneLease, found: Found): Promise<void> {
  const { transaction, finding } = found
  const { db, log } = context
  const { id, entityId, nonce } = transaction
  if (finding.kind === 'nonce used') return recordUsedNonce(context, lease, transaction)
  if (finding.kind === 'vanished') {
    log.warn({ transaction: id, entityId, nonce }, 'a receipt vanished; sending again')
    return underLease(db, lease, (trx) => recordVanished(trx, id))
  }
  if (finding.kind === 'verdict') return recordReceiptOutcome(context, lease, transaction, finding)
  if (finding.kind !== 'mined') return
  await underLease(db, lease, (trx) =>
    recordMined(trx, transaction, { status: 'mined', ...placeOf(finding.receipt) }),
  )
  reportPosition(context, transaction, finding.receipt)
}

async function recordReceiptOutcome(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
  { receipt, judgement }: Verdict,
): Promise<void> {
  if (judgement.verdict === 'anomaly') return callOperator(context, lease, transaction, judgement.why)
  const { id, entityId } = transaction
  const status = statusOf(receipt)
  const problem = await underLease(context.db, lease, async (trx) => {
    await recordMined(trx, transaction, { status, ...placeOf(receipt) })
    return judgement.apply(trx)
  })
  told(context, transaction, receipt)
  context.onOutcome()
  if (problem !== undefined) alarmOperator(context, { id, entityId }, problem)
}

function told({ log }: LaneContext, transaction: LaneTransaction, receipt: TransactionReceipt): void {
  const { id, purpose, entityId } = transaction
  reached('outcome stored', entityId)
  log.info(
    { transaction: id, purpose, entityId, hash: receipt.transactionHash },
    `a transaction is ${statusOf(receipt)}`,
  )
}

function reportPosition(
  { log }: LaneContext,
  transaction: LaneTransaction,
  receipt: TransactionReceipt,
): void {
  const { id, entityId } = transaction
  reached('receipt recorded', entityId)
  const { hash, blockNumber: block } = placeOf(receipt)
  log.info(
    { transaction: id, entityId, hash, block },
    'a transaction is mined; it counts when it is deep enough',
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
  const { receiptCheckSeconds } = context.limits
  const looks = await underLease(context.db, lease, (trx) =>
    recordReceiptCheck(trx, transaction.id, receiptCheckSeconds),
  )
  if (looks < checksBeforeAlarm) return
  if (transaction.purpose !== 'noop') {
    // It may be a payment of our own that the database has lost.
    await logOnError(context, 'could not look for lost payments', () => context.onUnbooked(context.address))
    return callOperator(context, lease, transaction, foreign)
  }
  // All it was for was that the nonce be used.
  await underLease(context.db, lease, (trx) => recordAbandoned(trx, transaction.id, foreign))
}

async function callOperator(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
  why: string,
): Promise<void> {
  const { purpose, entityId } = transaction
  await underLease(context.db, lease, async (trx) => {
    await recordStuck(trx, transaction, why)
    if (purpose !== 'noop' && entityId !== null) await context.handlers[purpose].stuck(trx, entityId, why)
  })
  context.onOutcome()
  alarmOperator(context, transaction, why)
}

function placeOf(receipt: TransactionReceipt) {
  return {
    hash: receipt.transactionHash,
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
  }
}
