import { reached } from '../steps.ts'
import { nodeErrorText } from './answers.ts'
import type { Fees } from './fees.ts'
import type { LaneContext } from './lane.ts'
import { type LaneLease, underLease } from './lease.ts'
import type { View } from './node.ts'
import { broadcast, signAttempt } from './send.ts'
import {
  assignNonce,
  insertAttempt,
  insertNoop,
  nextNonceOf,
  queuedFor,
  refuse,
  setNextNonce,
} from './store.ts'
import { type LaneTransaction, maxInFlight, type QueuedTransaction } from './types.ts'

/** Unused nonces that nothing of ours holds would block all later ones: each gets a transaction that does nothing. */
export async function fillGaps(
  context: LaneContext,
  lease: LaneLease,
  view: View,
  watched: LaneTransaction[],
  suggestion: () => Promise<Fees>,
): Promise<void> {
  const held = new Set(watched.map((transaction) => transaction.nonce))
  const nextNonce = await nextNonceOf(context.db, lease)
  for (let nonce = view.minedNonce; nonce < nextNonce; nonce++) {
    if (held.has(nonce)) continue
    const own = { to: context.account.address, data: '0x', nonce } as const
    const gasLimit = await context.chain.client.estimateGas({ account: own.to, to: own.to })
    const attempt = await signAttempt(context, { ...own, gasLimit }, await suggestion(), view)
    await underLease(context.db, lease, async (trx) => {
      const id = await insertNoop(trx, lease, { nonce, gasLimit })
      await insertAttempt(trx, id, attempt)
    })
    context.log.warn({ lane: lease.address, nonce }, 'filled a nonce gap')
    await broadcast(context, { ...attempt, sends: 0 })
  }
}

/** Gives nonces to queued transactions while the lane has room. Returns whether any was waiting. */
export async function assignQueued(
  context: LaneContext,
  lease: LaneLease,
  view: View,
  inFlight: number,
  suggestion: () => Promise<Fees>,
): Promise<boolean> {
  const room = maxInFlight - inFlight
  if (room <= 0) return true
  const queued = await queuedFor(context.db, lease, room)
  for (const transaction of queued) {
    try {
      await assign(context, lease, view, transaction, suggestion)
    } catch (error) {
      if (error instanceof Error && error.name === 'LeaseLostError') throw error
      context.log.warn(
        { transaction: transaction.id, reason: nodeErrorText(error) },
        'could not prepare a transaction; it stays queued',
      )
    }
  }
  return queued.length > 0
}

async function assign(
  context: LaneContext,
  lease: LaneLease,
  view: View,
  transaction: QueuedTransaction,
  suggestion: () => Promise<Fees>,
): Promise<void> {
  const preparation = await context.owners[transaction.purpose].prepare(transaction, context.account.address)
  if (preparation.next === 'wait') return
  if (preparation.next === 'refuse') {
    await underLease(context.db, lease, async (trx) => {
      if (await refuse(trx, transaction.id, preparation.reason)) await preparation.apply(trx)
    })
    reached('outcome stored', transaction.subject)
    context.onOutcome()
    return
  }
  const { gasLimit } = preparation
  const nonce = Math.max(await nextNonceOf(context.db, lease), view.minedNonce)
  const attempt = await signAttempt(context, { ...transaction, nonce, gasLimit }, await suggestion(), view)
  reached('attempt signed', transaction.subject)
  const ours = await underLease(context.db, lease, async (trx) => {
    if (!(await assignNonce(trx, lease, { id: transaction.id, nonce, gasLimit }))) return false
    await insertAttempt(trx, transaction.id, attempt)
    await setNextNonce(trx, lease, nonce + 1)
    return true
  })
  if (!ours) return
  reached('attempt stored', transaction.subject)
  context.log.info(
    { transaction: transaction.id, subject: transaction.subject, nonce, hash: attempt.hash },
    'a transaction got its nonce',
  )
  await broadcast(context, { ...attempt, sends: 0 })
}
