import type { PrivateKeyAccount } from 'viem'
import { nodeErrorText } from '../../chain/rpc-errors.ts'
import { reached, workFor } from '../events.ts'
import { alarmOperator } from './alarm-operator.ts'
import type { ChainView } from './chain-view.ts'
import type { Fees } from './fees.ts'
import type { LaneContext } from './lane-context.ts'
import { type LaneLease, LeaseLostError, underLease } from './lane-lease.ts'
import type { LaneState } from './load-state.ts'
import { logOnError } from './log-failure.ts'
import { type Assignment, defer, pin, refuse, storeAssignments } from './queue.ts'
import { broadcast, signAttempt } from './send.ts'
import { insertAttempt, insertNoop } from './store.ts'
import { type LaneTransaction, maxInFlight, type Preparation, type QueuedTransaction } from './types.ts'

const unresolved = 'an earlier transaction for the same end is not resolved yet'
const keyGone = 'no process has the operator key that this was meant for'
/** Why a queued transaction waits while the operator key cannot pay its gas. */
export const gasBalanceLow = 'the operator key has too little ETH for gas'

/** A queued transaction that can be sent. */
interface Sendable {
  transaction: QueuedTransaction
  gasLimit: bigint
}

/** The nonces that the chain has not used and that nothing in `watched` holds. */
export function findGaps(view: ChainView, nextNonce: number, watched: LaneTransaction[]): number[] {
  const held = new Set(watched.map((transaction) => transaction.nonce))
  // No more at a time than nodes keep: a nonce that a confused node has named must not cost a thousand transactions.
  const end = Math.min(nextNonce, view.minedNonce + maxInFlight)
  const gaps: number[] = []
  for (let nonce = view.minedNonce; nonce < end; nonce++) if (!held.has(nonce)) gaps.push(nonce)
  return gaps
}

/** Unused nonces that nothing of ours holds would block all later ones: each gets a transaction that does nothing. */
export async function fillGaps(
  context: LaneContext,
  lease: LaneLease,
  view: ChainView,
  gaps: number[],
  suggestion: () => Promise<Fees>,
): Promise<void> {
  const { account } = context
  if (!account) return
  for (const nonce of gaps) {
    await logOnError(context, 'could not fill a nonce gap', async () => {
      const own = { to: account.address, data: '0x', nonce } as const
      const gasLimit = await context.chain.client.estimateGas({ account: own.to, to: own.to })
      const attempt = await signAttempt(
        { ...context, account },
        { ...own, gasLimit },
        await suggestion(),
        view,
      )
      await underLease(context.db, lease, async (trx) => {
        const id = await insertNoop(trx, lease, { nonce, gasLimit })
        await insertAttempt(trx, id, attempt)
      })
      context.log.warn({ lane: lease.address, nonce }, 'filled a nonce gap')
      await broadcast(context, lease, [{ entityId: null, attempt: { ...attempt, sends: 0 } }])
    })
  }
}

/** Gives nonces to queued transactions while the lane has room. Returns how many got one. */
export async function assignQueued(
  context: LaneContext,
  { lease, nextNonce, queued }: LaneState,
  view: ChainView,
  unmined: LaneTransaction[],
  suggestion: () => Promise<Fees>,
): Promise<number> {
  const { account } = context
  const wanted = queued.slice(0, Math.max(0, maxInFlight - unmined.length))
  if (wanted.length === 0 || !account) return 0
  const sendable = await prepareAll(context, lease, view, wanted)
  if (sendable.length === 0) return 0
  let fees: Fees
  let paid: Sendable[]
  try {
    fees = await suggestion()
    paid = await payable(context, lease, sendable, unmined, fees)
  } catch (error) {
    const reason = nodeErrorText(error)
    for (const { transaction } of sendable) await putOff(context, lease, transaction, reason)
    return 0
  }
  return give({ ...context, account }, lease, view, { sendable: paid, nonce: nextNonce, fees })
}

/** Asks the owners about all of them at once. What cannot be sent is put off or ended. */
async function prepareAll(
  context: LaneContext,
  lease: LaneLease,
  view: ChainView,
  queued: QueuedTransaction[],
): Promise<Sendable[]> {
  const preparations = await Promise.all(
    queued.map(async (transaction): Promise<Preparation> => {
      if (transaction.isBlocked) return { next: 'wait', reason: unresolved }
      const owner = context.handlers[transaction.purpose]
      return workFor(transaction.entityId, () =>
        owner.prepare(transaction, context.address, view.depth),
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
  let problem: string | undefined
  try {
    problem = await underLease(context.db, lease, async (trx) =>
      (await refuse(trx, id, reason)) ? apply(trx) : undefined,
    )
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    return putOff(context, lease, transaction, nodeErrorText(error))
  }
  context.log.info({ transaction: id, entityId, reason }, 'a queued transaction is not sent')
  reached('outcome stored', entityId)
  context.onOutcome()
  if (problem !== undefined) alarmOperator(context, transaction, problem)
}

/** Of what can be sent, what the key has gas balance for. */
async function payable(
  context: LaneContext,
  lease: LaneLease,
  sendable: Sendable[],
  unmined: LaneTransaction[],
  fees: Fees,
): Promise<Sendable[]> {
  let gasBalance = await freeGasBalance(context, unmined)
  const paid: Sendable[] = []
  for (const one of sendable) {
    const price = one.gasLimit * fees.maxFeePerGas
    if (price > gasBalance) {
      context.alarm({
        kind: 'gas_balance_low',
        lane: context.address.toLowerCase(),
        why: gasBalanceLow,
      })
      await putOff(context, lease, one.transaction, gasBalanceLow)
    } else {
      gasBalance -= price
      paid.push(one)
    }
  }
  return paid
}

/**
 * Signs, stores all of it at once, and only then sends. What another lane has taken meanwhile is left to it; the others
 * are signed anew then, because their nonces have to follow each other.
 */
async function give(
  context: LaneContext & { account: PrivateKeyAccount },
  lease: LaneLease,
  view: ChainView,
  { sendable, nonce, fees }: { sendable: Sendable[]; nonce: number; fees: Fees },
): Promise<number> {
  if (sendable.length === 0) return 0
  const assignments: Assignment[] = []
  for (const [index, { transaction, gasLimit }] of sendable.entries()) {
    const own = { ...transaction, gasLimit, nonce: nonce + index }
    assignments.push({ ...own, attempt: await signAttempt(context, own, fees, view) })
    reached('attempt signed', transaction.entityId)
  }
  const free = await storeAssignments(context.db, lease, assignments)
  if (free.size < sendable.length) {
    const left = sendable.filter(({ transaction }) => free.has(transaction.id))
    return give(context, lease, view, { sendable: left, nonce, fees })
  }
  for (const [index, { transaction }] of sendable.entries()) {
    const { attempt, nonce: given } = assignments[index] as Assignment
    reached('attempt stored', transaction.entityId)
    context.log.info(
      { transaction: transaction.id, entityId: transaction.entityId, nonce: given, hash: attempt.hash },
      'a transaction got its nonce',
    )
  }
  const offers = sendable.map(({ transaction: { entityId } }, index) => {
    const { attempt } = assignments[index] as Assignment
    return { entityId, attempt: { ...attempt, sends: 0 } }
  })
  await broadcast(context, lease, offers)
  return sendable.length
}

/** Takes back what was queued for a key that no process has any more. Returns how many. */
export async function unpinQueued(context: LaneContext, { lease, queued }: LaneState): Promise<number> {
  const pinned = queued.filter((transaction) => transaction.isPinned)
  for (const { id, purpose, entityId } of pinned) {
    await underLease(context.db, lease, async (trx) => {
      if (await refuse(trx, id, keyGone)) await context.handlers[purpose].unpin(trx, entityId)
    })
    context.log.warn({ transaction: id, entityId }, keyGone)
  }
  return pinned.length
}

async function putOff(
  context: LaneContext,
  lease: LaneLease,
  { id, entityId, waitsFor }: QueuedTransaction,
  reason: string,
): Promise<void> {
  await underLease(context.db, lease, (trx) => defer(trx, id, reason))
  if (reason !== waitsFor)
    context.log.warn({ transaction: id, entityId, reason }, 'a transaction stays queued')
}

/** What the key has left, in wei, when everything of it that is under way is paid at its highest price. */
async function freeGasBalance(context: LaneContext, unmined: LaneTransaction[]): Promise<bigint> {
  const balance = await context.chain.client.getBalance({ address: context.address })
  return unmined.reduce(
    (left, { gasLimit, attempts }) => left - gasLimit * (attempts.at(-1)?.maxFeePerGas ?? 0n),
    balance,
  )
}
