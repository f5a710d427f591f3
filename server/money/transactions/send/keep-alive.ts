import { emitStep } from '../../../loops/crash-steps.ts'
import { type NextStep, nextStepAfter } from '../../chain/rpc-errors.ts'
import { logOnError, type Tick } from '../lane/context.ts'
import { underLease } from '../lane/lease.ts'
import { insertAttempt } from '../store.ts'
import type { Attempt, Fees, LaneTransaction } from '../types.ts'
import { gasBalanceLow } from './assign.ts'
import { raiseFees } from './fees.ts'
import { broadcast, firstOffer, type Offer, signAttempt } from './send.ts'

/** Shortest time between two raises that a node's error asks for, in seconds. */
const refusedRaiseSeconds = 1

/** Sends, sends again or replaces the unmined transactions of a lane. */
export async function keepAllAlive(tick: Tick, unmined: LaneTransaction[]): Promise<void> {
  const offers: Offer[] = []
  for (const transaction of unmined)
    await logOnError(tick, 'could not keep a transaction alive; trying again', async () => {
      const offer = await keepAlive(tick, transaction)
      if (offer) offers.push(offer)
    })
  await logOnError(tick, 'could not send transactions; trying again', () => broadcast(tick, offers))
}

/**
 * Keeps one unmined transaction alive. Where it needs higher fees, a replacement is signed and sent. Returns bytes that
 * have to be sent now: for the first time, or again after a silence.
 */
async function keepAlive(tick: Tick, transaction: LaneTransaction): Promise<Offer | undefined> {
  const { entityId, attempts, vanishedHash } = transaction
  const isUnsent = attempts.every(({ sends }) => sends === 0)
  const last = attempts.at(-1)
  if (!last) throw new Error(`transaction ${transaction.id} has a nonce but no attempt`)
  if (wantedBy(last) === 'add ETH') {
    const lane = tick.lease.address
    tick.alarm({ kind: 'gas_balance_low', lane, transaction: transaction.id, entityId, why: gasBalanceLow })
  } else if (!isUnsent && (await needsHigherFees(tick, last))) {
    const raised = raiseFees(last, await tick.suggestFees(), tick.limits.maxFeePerGas)
    if (raised && tick.account) {
      await replace(tick, transaction, raised)
      return undefined
    }
    tick.alarm({
      kind: raised ? 'key_missing' : 'fees_at_cap',
      lane: tick.lease.address,
      transaction: transaction.id,
      entityId,
      why: raised
        ? 'a transaction needs higher fees and no process has its key'
        : 'fees have reached their cap and the transaction is not mined',
    })
  }
  // Bytes that were mined before go first: a response may have contained their hash.
  const wanted = attempts.find(({ hash }) => hash === vanishedHash) ?? last
  const isQuiet = wanted.sends === 0 || wanted.quietSeconds >= tick.limits.resendAfterSeconds
  return isQuiet ? { entityId, attempt: wanted } : undefined
}

/**
 * Age alone raises no fees while the chain stands still, because no fee would be high enough then. It does where the
 * node suggests more than the attempt offers.
 */
async function needsHigherFees(tick: Tick, last: Attempt): Promise<boolean> {
  if (wantedBy(last) === 'raise fees') return last.ageSeconds >= refusedRaiseSeconds
  if (last.ageSeconds < tick.limits.replaceAfterSeconds) return false
  return tick.view.depth.head > last.headBlock || (await tick.suggestFees()).maxFeePerGas > last.maxFeePerGas
}

/** What the node's reply to the last send asks for; undefined where it took the bytes. */
function wantedBy({ lastError }: Attempt): NextStep | undefined {
  return lastError === null ? undefined : nextStepAfter(lastError)
}

async function replace(tick: Tick, transaction: LaneTransaction, fees: Fees): Promise<void> {
  const { account } = tick
  const { id, entityId, nonce } = transaction
  if (!account) return
  const attempt = await signAttempt({ ...tick, account }, transaction, fees)
  await underLease(tick.db, tick.lease, (trx) => insertAttempt(trx, id, attempt))
  emitStep('replacement stored', entityId)
  tick.log.info(
    { transaction: id, entityId, nonce, hash: attempt.hash },
    'replaced a transaction with higher fees',
  )
  await broadcast(tick, [firstOffer(entityId, attempt)])
  emitStep('replacement sent', entityId)
}
