import type { TransactionReceipt } from 'viem'
import { reached, workFor } from '../events.ts'
import { alarmOperator } from './alarm-operator.ts'
import type { Finding } from './inspect.ts'
import { type LaneLease, underLease } from './lane-lease.ts'
import { orLog } from './log-failure.ts'
import {
  recordAbandoned,
  recordLook,
  recordMined,
  recordPlaces,
  recordStuck,
  recordUnchanged,
  recordVanished,
} from './receipt-outcomes.ts'
import { isResting } from './store.ts'
import type { LaneContext } from './tick.ts'
import type { LaneTransaction, Purpose } from './types.ts'

/** Looks at a used-up nonce without a receipt of ours before a person is called. */
const looksBeforeAlarm = 8
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
    if (finding.kind === 'verdict' || finding.kind === 'mined') reached('receipt seen', transaction.subject)
  const settled = await settleOrdinary(context, lease, news.filter(isOrdinary))
  const placed = await placeMined(context, lease, news.filter(isNewlyMined))
  for (const one of news)
    if (!settled.has(one.transaction.id) && !placed.has(one.transaction.id))
      await workFor(one.transaction.subject, () => record(context, lease, one))
  const unchanged = found
    .filter(({ transaction, finding }) => finding.kind === 'nothing' && isResting(transaction))
    .map(({ transaction }) => transaction.id)
  if (unchanged.length > 0) await underLease(context.db, lease, (trx) => recordUnchanged(trx, unchanged))
  return news.length > 0
}

function isOrdinary(found: Found): found is Found<Verdict> {
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
async function settleOrdinary(
  context: LaneContext,
  lease: LaneLease,
  found: Found<Verdict>[],
): Promise<Set<number>> {
  const done = new Set<number>()
  for (const purpose of Object.keys(context.owners) as Purpose[]) {
    const own = found.filter(({ transaction }) => transaction.purpose === purpose)
    const { settle } = context.owners[purpose]
    if (own.length === 0 || !settle) continue
    const settled = await settle(
      lease,
      own.map(({ transaction: { id, subject }, finding: { receipt } }) => ({
        id,
        subject: subject as string,
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
    if (placed.has(transaction.id)) tellPlace(context, transaction, finding.receipt)
  return placed
}

async function record(context: LaneContext, lease: LaneLease, found: Found): Promise<void> {
  const { transaction, finding } = found
  const { db, log } = context
  const { id, subject, nonce } = transaction
  if (finding.kind === 'nonce used') return recordUsedNonce(context, lease, transaction)
  if (finding.kind === 'vanished') {
    log.warn({ transaction: id, subject, nonce }, 'a receipt vanished; sending again')
    return underLease(db, lease, (trx) => recordVanished(trx, id))
  }
  if (finding.kind === 'verdict') return recordVerdict(context, lease, transaction, finding)
  if (finding.kind !== 'mined') return
  await underLease(db, lease, (trx) =>
    recordMined(trx, transaction, { status: 'mined', ...placeOf(finding.receipt) }),
  )
  tellPlace(context, transaction, finding.receipt)
}

async function recordVerdict(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
  { receipt, judgement }: Verdict,
): Promise<void> {
  if (judgement.verdict === 'anomaly') return callOperator(context, lease, transaction, judgement.why)
  const { id, subject } = transaction
  const status = statusOf(receipt)
  const problem = await underLease(context.db, lease, async (trx) => {
    await recordMined(trx, transaction, { status, ...placeOf(receipt) })
    return judgement.apply(trx)
  })
  told(context, transaction, receipt)
  context.onOutcome()
  if (problem !== undefined) alarmOperator(context, { id, subject }, problem)
}

function told({ log }: LaneContext, transaction: LaneTransaction, receipt: TransactionReceipt): void {
  const { id, purpose, subject } = transaction
  reached('outcome stored', subject)
  log.info(
    { transaction: id, purpose, subject, hash: receipt.transactionHash },
    `a transaction is ${statusOf(receipt)}`,
  )
}

function tellPlace({ log }: LaneContext, transaction: LaneTransaction, receipt: TransactionReceipt): void {
  const { id, subject } = transaction
  reached('receipt recorded', subject)
  const { hash, blockNumber: block } = placeOf(receipt)
  log.info(
    { transaction: id, subject, hash, block },
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
  const { lookSeconds } = context.limits
  const looks = await underLease(context.db, lease, (trx) => recordLook(trx, transaction.id, lookSeconds))
  if (looks < looksBeforeAlarm) return
  if (transaction.purpose !== 'noop') {
    // It may be a payment of our own that the database has lost.
    await orLog(context, 'could not look for lost payments', () => context.onUnbooked(context.address))
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
  const { purpose, subject } = transaction
  await underLease(context.db, lease, async (trx) => {
    await recordStuck(trx, transaction, why)
    if (purpose !== 'noop' && subject !== null) await context.owners[purpose].stuck(trx, subject, why)
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
