import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { LeaseLostError } from '../../db/lease.ts'
import { emitStep, traceWork } from '../events.ts'
import type { Problem } from '../problems.ts'
import type { ChainView } from './chain-view.ts'
import { alarmOperator, type LaneContext } from './lane-context.ts'
import { type LaneLease, underLease } from './lane-lease.ts'
import type { LaneState } from './load-state.ts'
import { defer, pin, refuse } from './queue.ts'
import type { Preparation, QueuedTransaction } from './types.ts'

const unresolved = 'an earlier transaction for this payout or deploy is unresolved'
const keyGone = 'no process has the operator key that this was meant for'

/** A queued transaction that can be sent. */
export interface Sendable {
  transaction: QueuedTransaction
  gasLimit: bigint
}

/** Asks the handlers about all queued transactions at once. Those that cannot be sent are put off or ended. */
export async function prepareAll(
  context: LaneContext,
  lease: LaneLease,
  view: ChainView,
  queued: QueuedTransaction[],
): Promise<Sendable[]> {
  const preparations = await Promise.all(
    queued.map(async (transaction): Promise<Preparation> => {
      if (transaction.isBlocked) return { next: 'wait', reason: unresolved }
      const handler = context.handlers[transaction.purpose]
      return traceWork(transaction.entityId, () =>
        handler.prepare(transaction, context.address, view.depth),
      ).catch((error) => ({ next: 'wait', reason: nodeErrorText(error) }))
    }),
  )
  const sendable: Sendable[] = []
  for (const [index, transaction] of queued.entries()) {
    const preparation = preparations[index] as Preparation
    if (preparation.next === 'send') sendable.push({ transaction, gasLimit: preparation.gasLimit })
    else if (preparation.next === 'wait') await putOff(context, lease, transaction, preparation.reason)
    else if (preparation.next === 'leave') await leaveTo(context, lease, transaction, preparation)
    else await end(context, lease, transaction, preparation)
  }
  return sendable
}

/** Leaves a transaction in the queue. The log gets the reason when it is new. */
export async function putOff(
  context: LaneContext,
  lease: LaneLease,
  { id, entityId, waitsFor }: QueuedTransaction,
  reason: string,
): Promise<void> {
  await underLease(context.db, lease, (trx) => defer(trx, id, reason))
  if (reason !== waitsFor)
    context.log.warn({ transaction: id, entityId, reason }, 'a transaction stays queued')
}

async function leaveTo(
  context: LaneContext,
  lease: LaneLease,
  { id, entityId }: QueuedTransaction,
  { to, reason }: Extract<Preparation, { next: 'leave' }>,
): Promise<void> {
  await underLease(context.db, lease, (trx) => pin(trx, id, to, reason))
  context.log.info(
    { transaction: id, entityId, signer: to, reason },
    'a queued transaction is left to another signer',
  )
}

async function end(
  context: LaneContext,
  lease: LaneLease,
  transaction: QueuedTransaction,
  { reason, apply }: Extract<Preparation, { next: 'refuse' }>,
): Promise<void> {
  const { id, entityId } = transaction
  let problem: Problem | undefined
  try {
    problem = await underLease(context.db, lease, async (trx) =>
      (await refuse(trx, id, reason)) ? apply(trx) : undefined,
    )
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    return putOff(context, lease, transaction, nodeErrorText(error))
  }
  context.log.info({ transaction: id, entityId, reason }, 'a queued transaction is not sent')
  emitStep('outcome stored', entityId)
  context.onOutcome()
  if (problem) alarmOperator(context, transaction, problem)
}

/** Requeues, for any signer, what was queued for a key that no process has any more. Returns how many. */
export async function requeuePinned(context: LaneContext, { lease, queued }: LaneState): Promise<number> {
  const pinned = queued.filter((transaction) => transaction.isPinned)
  for (const { id, purpose, entityId } of pinned) {
    await underLease(context.db, lease, async (trx) => {
      if (await refuse(trx, id, keyGone)) await context.handlers[purpose].requeue(trx, entityId)
    })
    context.log.warn({ transaction: id, entityId }, `${keyGone}; queued again for any key`)
  }
  return pinned.length
}
