import type { TransactionReceipt } from 'viem'
import { reached } from '../steps.ts'
import type { Finding } from './inspect.ts'
import type { LaneContext } from './lane.ts'
import { type LaneLease, underLease } from './lease.ts'
import { isResting } from './store.ts'
import type { LaneTransaction } from './types.ts'
import {
  recordAbandoned,
  recordFinal,
  recordLook,
  recordMined,
  recordStuck,
  recordUnchanged,
  recordVanished,
} from './verdicts.ts'

/** Looks at a used-up nonce without a receipt of ours before a person is called. */
const looksBeforeAlarm = 8
const foreign = 'its nonce was used by a transaction that is not ours'

/** Stores what the looks of a turn have found. Returns whether anything of it is news. */
export async function recordFindings(
  context: LaneContext,
  lease: LaneLease,
  watched: LaneTransaction[],
  findings: Finding[],
): Promise<boolean> {
  const final: number[] = []
  const unchanged: number[] = []
  let changed = false
  for (const [index, transaction] of watched.entries()) {
    const finding = findings[index]
    if (!finding || finding.kind === 'unmined') continue
    if (finding.kind === 'final') final.push(transaction.id)
    else if (finding.kind !== 'nothing') {
      await record(context, lease, transaction, finding)
      changed = true
    } else if (isResting(transaction)) unchanged.push(transaction.id)
  }
  if (final.length > 0) await underLease(context.db, lease, (trx) => recordFinal(trx, final))
  if (unchanged.length > 0) await underLease(context.db, lease, (trx) => recordUnchanged(trx, unchanged))
  return changed
}

async function record(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
  finding: Exclude<Finding, { kind: 'unmined' | 'final' | 'nothing' }>,
): Promise<void> {
  const { db, log } = context
  if (finding.kind === 'nonce used') return recordUsedNonce(context, lease, transaction)
  if (finding.kind === 'vanished') {
    log.warn({ transaction: transaction.id, nonce: transaction.nonce }, 'a receipt vanished; sending again')
    return underLease(db, lease, (trx) => recordVanished(trx, transaction.id))
  }
  reached('receipt seen', transaction.subject)
  if (finding.kind === 'verdict') return recordVerdict(context, lease, transaction, finding)
  await underLease(db, lease, (trx) =>
    recordMined(trx, transaction, { status: 'mined', ...placeOf(finding.receipt) }),
  )
  reached('receipt recorded', transaction.subject)
}

async function recordVerdict(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
  { receipt, judgement }: Extract<Finding, { kind: 'verdict' }>,
): Promise<void> {
  if (judgement.verdict === 'anomaly') return callOperator(context, lease, transaction, judgement.why)
  const { id, purpose, subject } = transaction
  const status = receipt.status === 'success' ? 'confirmed' : 'reverted'
  await underLease(context.db, lease, async (trx) => {
    await recordMined(trx, transaction, { status, ...placeOf(receipt) })
    await judgement.apply(trx)
  })
  reached('outcome stored', subject)
  context.onOutcome()
  context.log.info(
    { transaction: id, purpose, subject, hash: receipt.transactionHash },
    `a transaction is ${status}`,
  )
  if (judgement.alarm)
    context.alarm({
      kind: 'needs_operator',
      lane: lease.address,
      transaction: id,
      subject,
      why: judgement.alarm,
    })
}

async function recordUsedNonce(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
): Promise<void> {
  const { lookSeconds } = context.limits
  const looks = await underLease(context.db, lease, (trx) => recordLook(trx, transaction.id, lookSeconds))
  if (looks < looksBeforeAlarm) return
  if (transaction.purpose !== 'noop') return callOperator(context, lease, transaction, foreign)
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
  context.alarm({
    kind: 'needs_operator',
    lane: lease.address,
    transaction: transaction.id,
    subject,
    why,
  })
}

function placeOf(receipt: TransactionReceipt) {
  return {
    hash: receipt.transactionHash,
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
  }
}
