import type { PrivateKeyAccount } from 'viem'
import { reached } from '../steps.ts'
import { nodeErrorText } from './answers.ts'
import type { Fees } from './fees.ts'
import type { LaneContext } from './lane.ts'
import { type LaneLease, LeaseLostError, underLease } from './lease.ts'
import type { View } from './node.ts'
import { orLog } from './or-log.ts'
import { assignNonce, defer, hasLiveTransaction, queuedFor, refuse } from './queue.ts'
import { broadcast, signAttempt } from './send.ts'
import { insertAttempt, insertNoop, nextNonceOf, setNextNonce } from './store.ts'
import { type LaneTransaction, maxInFlight, type QueuedTransaction } from './types.ts'

const unresolved = 'an earlier transaction for the same end is not resolved yet'
const keyGone = 'no process has the operator key that this was meant for'

/** What giving out nonces needs. */
interface Assigning {
  context: LaneContext
  account: PrivateKeyAccount
  lease: LaneLease
  view: View
  suggestion: () => Promise<Fees>
}

/** Unused nonces that nothing of ours holds would block all later ones: each gets a transaction that does nothing. */
export async function fillGaps(
  context: LaneContext,
  lease: LaneLease,
  view: View,
  watched: LaneTransaction[],
  suggestion: () => Promise<Fees>,
): Promise<void> {
  const { account } = context
  if (!account) return
  const held = new Set(watched.map((transaction) => transaction.nonce))
  const nextNonce = await nextNonceOf(context.db, lease)
  // No more at a time than nodes keep: a nonce that a confused node has named must not cost a thousand transactions.
  const end = Math.min(nextNonce, view.minedNonce + maxInFlight)
  for (let nonce = view.minedNonce; nonce < end; nonce++) {
    if (held.has(nonce)) continue
    await orLog(context, 'could not fill a nonce gap', async () => {
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
      await broadcast(context, lease, { ...attempt, sends: 0 })
    })
  }
}

/** Gives nonces to queued transactions while the lane has room. Returns whether any was waiting. */
export async function assignQueued(
  context: LaneContext,
  lease: LaneLease,
  view: View,
  unmined: LaneTransaction[],
  suggestion: () => Promise<Fees>,
): Promise<boolean> {
  const { account } = context
  const room = maxInFlight - unmined.length
  if (room <= 0 || !account) return true
  const queued = await queuedFor(context.db, lease, context.share, room)
  let gasMoney: bigint | undefined
  for (const transaction of queued) {
    let reason: string | undefined
    try {
      gasMoney ??= await freeGasMoney(context, unmined)
      const outcome = await assign({ context, account, lease, view, suggestion }, transaction, gasMoney)
      if (typeof outcome === 'bigint') gasMoney -= outcome
      else reason = outcome
    } catch (error) {
      if (error instanceof LeaseLostError) throw error
      reason = nodeErrorText(error)
    }
    if (reason !== undefined) await putOff(context, lease, transaction, reason)
  }
  return queued.length > 0
}

/** Takes back what was queued for a key that no process has any more. */
export async function unpinQueued(context: LaneContext, lease: LaneLease): Promise<boolean> {
  const queued = await queuedFor(context.db, lease, context.share, maxInFlight)
  const pinned = queued.filter((transaction) => transaction.isPinned)
  for (const { id, purpose, subject } of pinned) {
    await underLease(context.db, lease, async (trx) => {
      if (await refuse(trx, id, keyGone)) await context.owners[purpose].unpin(trx, subject)
    })
    context.log.warn({ transaction: id, subject }, keyGone)
  }
  return pinned.length > 0
}

async function putOff(
  context: LaneContext,
  lease: LaneLease,
  transaction: QueuedTransaction,
  reason: string,
): Promise<void> {
  await underLease(context.db, lease, (trx) => defer(trx, transaction.id, reason))
  if (reason !== transaction.waitsFor)
    context.log.warn({ transaction: transaction.id, reason }, 'a transaction stays queued')
}

/** What the key has left, in wei, when everything of it that is under way is paid at its highest price. */
async function freeGasMoney(context: LaneContext, unmined: LaneTransaction[]): Promise<bigint> {
  const balance = await context.chain.client.getBalance({ address: context.address })
  return unmined.reduce(
    (left, { gasLimit, attempts }) => left - gasLimit * (attempts.at(-1)?.maxFeePerGas ?? 0n),
    balance,
  )
}

/** Prepares, signs, stores and sends. Returns the highest price in wei, or why it has to wait. */
async function assign(
  { context, account, lease, view, suggestion }: Assigning,
  transaction: QueuedTransaction,
  gasMoney: bigint,
): Promise<bigint | string> {
  const { id, purpose, subject } = transaction
  const { db } = context
  const owner = context.owners[purpose]
  if (await hasLiveTransaction(db, purpose, subject, id)) return unresolved
  const preparation = await owner.prepare(transaction, context.address, view.headNumber)
  if (preparation.next === 'wait') return preparation.reason
  if (preparation.next === 'refuse') {
    const { reason, apply } = preparation
    await underLease(db, lease, async (trx) => {
      if (await refuse(trx, id, reason)) await apply(trx)
    })
    reached('outcome stored', subject)
    context.onOutcome()
    return 0n
  }
  const { gasLimit } = preparation
  const fees = await suggestion()
  const price = gasLimit * fees.maxFeePerGas
  if (price > gasMoney) return outOfGasMoney(context)
  const nonce = await nextNonce(context, lease, view)
  const attempt = await signAttempt({ ...context, account }, { ...transaction, nonce, gasLimit }, fees, view)
  reached('attempt signed', subject)
  const ours = await underLease(db, lease, async (trx) => {
    if (await hasLiveTransaction(trx, purpose, subject, id)) return false
    if (!(await assignNonce(trx, lease, { id, nonce, gasLimit }))) return false
    await insertAttempt(trx, id, attempt)
    await setNextNonce(trx, lease, nonce + 1)
    return true
  })
  if (!ours) return 0n
  reached('attempt stored', subject)
  context.log.info({ transaction: id, subject, nonce, hash: attempt.hash }, 'a transaction got its nonce')
  await broadcast(context, lease, { ...attempt, sends: 0 })
  return price
}

async function nextNonce({ db, log }: LaneContext, lease: LaneLease, view: View): Promise<number> {
  const ours = await nextNonceOf(db, lease)
  if (view.minedNonce > ours)
    log.warn(
      { lane: lease.address, ours, mined: view.minedNonce },
      'somebody else sends with an operator key: nonces were used that this service has not given out',
    )
  return Math.max(ours, view.minedNonce)
}

function outOfGasMoney(context: LaneContext): string {
  const why = 'the operator key has too little ETH for gas'
  context.alarm({ kind: 'out_of_gas_money', lane: context.address.toLowerCase(), why })
  return why
}
