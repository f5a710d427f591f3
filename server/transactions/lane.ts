import type { Logger } from 'pino'
import type { PrivateKeyAccount } from 'viem'
import type { Chain } from '../chain/chain.ts'
import type { Database } from '../db/connect.ts'
import { reached } from '../steps.ts'
import { nodeErrorText } from './answers.ts'
import { assignQueued, fillGaps } from './assign.ts'
import { type Fees, suggestFees } from './fees.ts'
import { type Finding, inspect } from './inspect.ts'
import { type LaneLease, underLease } from './lease.ts'
import { type View, viewLane } from './node.ts'
import { keepAlive } from './send.ts'
import { recordFinal, recordLook, recordMined, recordStuck, recordVanished, watchedBy } from './store.ts'
import type { LaneLimits, LaneTransaction, Purpose, TransactionOwner } from './types.ts'

/** Looks at a used-up nonce without a receipt of ours before a person is called: at least 2 s apart each. */
const looksBeforeAlarm = 8

/** What a turn of a lane needs. */
export interface LaneContext {
  db: Database
  chain: Chain
  account: PrivateKeyAccount
  limits: LaneLimits
  owners: Record<Purpose, TransactionOwner>
  /** Called when an outcome was stored that a request may be waiting for. */
  onOutcome(): void
  log: Logger
}

/**
 * One turn of a lane, by the holder of its lease: look at everything that can still change, store what was found, keep
 * what is unmined alive, then give nonces to what is queued. Returns whether anything is still on its way.
 * @throws LeaseLostError when another process has taken over; the turn then has written nothing more.
 */
export async function takeTurn(context: LaneContext, lease: LaneLease): Promise<boolean> {
  const view = await viewLane(context.chain.client, context.account.address)
  const watched = await watchedBy(context.db, lease, view.minedNonce)
  const findings = await Promise.all(watched.map((transaction) => look(context, view, transaction)))
  const suggestion = once(() => suggestFees(context.chain.client))

  const unmined: LaneTransaction[] = []
  const final: number[] = []
  let changed = false
  for (const [index, transaction] of watched.entries()) {
    const finding = findings[index] as Finding
    if (finding.kind === 'unmined') unmined.push(transaction)
    else if (finding.kind === 'final') final.push(transaction.id)
    else if (finding.kind !== 'nothing') {
      await record(context, lease, transaction, finding)
      changed = true
    }
  }
  if (final.length > 0) await underLease(context.db, lease, (trx) => recordFinal(trx, final))
  await fillGaps(context, lease, view, watched, suggestion)
  for (const transaction of unmined) await keepAlive(context, lease, view, transaction, suggestion)
  const queued = await assignQueued(context, lease, view, unmined.length, suggestion)
  const waiting = watched.some((transaction) => transaction.status === 'mined')
  return changed || unmined.length > 0 || queued || waiting
}

/** A look that fails tells nothing; the next turn looks again. */
async function look(context: LaneContext, view: View, transaction: LaneTransaction): Promise<Finding> {
  try {
    return await inspect(context, view, transaction)
  } catch (error) {
    context.log.warn(
      { transaction: transaction.id, reason: nodeErrorText(error) },
      'could not look at a transaction',
    )
    return { kind: 'nothing' }
  }
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
  const { receipt } = finding
  reached('receipt seen', transaction.subject)
  const mined = {
    hash: receipt.transactionHash,
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
  }
  if (finding.kind === 'mined') {
    await underLease(db, lease, (trx) => recordMined(trx, transaction.id, { status: 'mined', ...mined }))
    return reached('receipt recorded', transaction.subject)
  }
  const { judgement } = finding
  if (judgement.anomaly !== undefined) return callOperator(context, lease, transaction, judgement.anomaly)
  await underLease(db, lease, async (trx) => {
    const status = receipt.status === 'success' ? 'confirmed' : 'reverted'
    await recordMined(trx, transaction.id, { status, ...mined })
    await judgement.apply(trx)
  })
  reached('outcome stored', transaction.subject)
  context.onOutcome()
  log.info(
    {
      transaction: transaction.id,
      purpose: transaction.purpose,
      subject: transaction.subject,
      hash: mined.hash,
    },
    receipt.status === 'success' ? 'a transaction is confirmed' : 'a transaction reverted',
  )
}

async function recordUsedNonce(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
): Promise<void> {
  const looks = await underLease(context.db, lease, (trx) => recordLook(trx, transaction.id))
  if (looks >= looksBeforeAlarm)
    await callOperator(context, lease, transaction, 'its nonce was used by a transaction that is not ours')
}

async function callOperator(
  context: LaneContext,
  lease: LaneLease,
  transaction: LaneTransaction,
  why: string,
): Promise<void> {
  const { purpose, subject } = transaction
  await underLease(context.db, lease, async (trx) => {
    await recordStuck(trx, transaction.id, why)
    if (purpose !== 'noop' && subject !== null) await context.owners[purpose].stuck(trx, subject, why)
  })
  context.log.error(
    { transaction: transaction.id, purpose, subject, nonce: transaction.nonce, why },
    'NEEDS OPERATOR: nothing more happens to this transaction by itself',
  )
}

/** Asks at most once a turn. */
function once(ask: () => Promise<Fees>): () => Promise<Fees> {
  let answer: Promise<Fees> | undefined
  return () => {
    answer ??= ask()
    return answer
  }
}
