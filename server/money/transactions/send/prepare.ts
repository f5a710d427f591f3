import { nodeErrorText } from '../../../config/node-error-text.ts'
import type { Database } from '../../../db/client.ts'
import { LeaseLostError } from '../../../db/lease.ts'
import { emitStep } from '../../../loops/crash-steps.ts'
import { alarmOperator, type Tick } from '../lane/context.ts'
import { underLease } from '../lane/lease.ts'
import type { Preparation, Problem, QueuedTransaction } from '../types.ts'
import { defer, pin, refuse } from './queue.ts'

const unresolved = 'an earlier transaction for this payout or deploy is unresolved'
const keyGone = 'no process has the operator key that this was meant for'

/** A queued transaction that can be sent. */
export interface Sendable {
  transaction: QueuedTransaction
  gasLimit: bigint
}

/** Asks the handlers about all queued transactions at once. Those that cannot be sent are put off or ended. */
export async function prepareAll(tick: Tick, queued: QueuedTransaction[]): Promise<Sendable[]> {
  const preparations = await Promise.all(
    queued.map(async (transaction): Promise<Preparation> => {
      if (transaction.isBlocked) return { next: 'wait', reason: unresolved }
      const handler = tick.handlers[transaction.purpose]
      return handler
        .prepare(transaction, tick.address, tick.view.depth)
        .catch((error) => ({ next: 'wait', reason: nodeErrorText(error) }))
    }),
  )
  const sendable: Sendable[] = []
  for (const [index, transaction] of queued.entries()) {
    const preparation = preparations[index] as Preparation
    if (preparation.next === 'send') sendable.push({ transaction, gasLimit: preparation.gasLimit })
    else if (preparation.next === 'wait') await waitWith(tick, transaction, preparation)
    else if (preparation.next === 'leave') await leaveTo(tick, transaction, preparation)
    else await end(tick, transaction, preparation)
  }
  return sendable
}

async function waitWith(
  tick: Tick,
  transaction: QueuedTransaction,
  { reason, apply, alarm: kind }: Extract<Preparation, { next: 'wait' }>,
): Promise<void> {
  if (kind) tick.alarm({ kind, lane: tick.lease.address, why: reason })
  await putOff(tick, transaction, reason, apply)
}

/** Leaves a transaction in the queue. The log gets the reason when it is new. */
export async function putOff(
  tick: Tick,
  { id, entityId, waitsFor }: QueuedTransaction,
  reason: string,
  apply?: (trx: Database) => Promise<unknown>,
): Promise<void> {
  await underLease(tick.db, tick.lease, async (trx) => {
    await defer(trx, id, reason)
    await apply?.(trx)
  })
  if (reason !== waitsFor) tick.log.warn({ transaction: id, entityId, reason }, 'a transaction stays queued')
}

async function leaveTo(
  tick: Tick,
  { id, entityId }: QueuedTransaction,
  { to, reason }: Extract<Preparation, { next: 'leave' }>,
): Promise<void> {
  await underLease(tick.db, tick.lease, (trx) => pin(trx, id, to, reason))
  tick.log.info(
    { transaction: id, entityId, signer: to, reason },
    'a queued transaction is left to another signer',
  )
}

async function end(
  tick: Tick,
  transaction: QueuedTransaction,
  { reason, apply, alarm: kind }: Extract<Preparation, { next: 'refuse' }>,
): Promise<void> {
  const { id, entityId } = transaction
  let problem: Problem | undefined
  try {
    problem = await underLease(tick.db, tick.lease, async (trx) =>
      (await refuse(trx, id, reason)) ? apply(trx) : undefined,
    )
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    return putOff(tick, transaction, nodeErrorText(error))
  }
  tick.log.info({ transaction: id, entityId, reason }, 'a queued transaction is not sent')
  emitStep('outcome stored', entityId)
  tick.onOutcome(entityId)
  if (kind) tick.alarm({ kind, transaction: id, entityId, why: reason })
  if (problem) alarmOperator(tick, transaction, problem)
}

/** Requeues, for any signer, what was queued for a key that no process has any more. Returns how many. */
export async function requeuePinned(tick: Tick, queued: QueuedTransaction[]): Promise<number> {
  const pinned = queued.filter((transaction) => transaction.isPinned)
  for (const { id, purpose, entityId } of pinned) {
    await underLease(tick.db, tick.lease, async (trx) => {
      if (await refuse(trx, id, keyGone)) await tick.handlers[purpose].requeue(trx, entityId)
    })
    tick.log.warn({ transaction: id, entityId }, `${keyGone}; queued again for any key`)
  }
  return pinned.length
}
