import { type Address, isAddressEqual, type TransactionReceipt } from 'viem'
import type { Database } from '../../db/client.ts'
import type { Chain } from '../chain/chain.ts'
import { notOperators } from '../chain/deploy/on-chain.ts'
import { estimateGas, UnclearReplyError } from '../chain/estimate.ts'
import type { Depth } from '../chain/finality.ts'
import { type GasLimits, keepsGasForPayouts, keptForPayouts } from '../gas-budget.ts'
import { listHashes } from '../transactions/store.ts'
import type { Apply, Preparation, ReceiptOutcome, TransactionHandler } from '../transactions/types.ts'
import type { Dollars } from './dollars.ts'
import { isPaid, payoutAnomaly, releasedDollars, treasuryOf } from './evidence/evidence.ts'
import { findAnyPayment, findOwnPayment } from './evidence/find-payment.ts'
import {
  isNonceTaken,
  type LostTransaction,
  rebuildTransaction,
  restoreTransaction,
} from './evidence/lost-transaction.ts'
import { type Refusal, refusalOf } from './refusals.ts'
import { failPayout, markStuck, settlePayout } from './settle.ts'
import { backedAreQueued, getPayout, type Payout, requeuePayout } from './store.ts'

/** Percentage that is added to an estimate: storage costs depend on the order of payouts. */
const gasMarginPercent = 25n

const unfound = 'a transaction that was not found'
const rightGone = 'the platform wallet does not know the operator key any more'

/** What follows from a payment that is already on the chain. */
type Adoption =
  | { next: 'wait' }
  /** `hash` is null if the payment was not found. */
  | { next: 'adopt'; hash: string | null; apply: Apply }
  /** The database has lost the transaction; only its signer may store it again. */
  | { next: 'restore'; hash: string; lost: LostTransaction; dollars: Dollars }

/** What the transaction handler of payouts needs. */
export interface PayoutHandlerOptions {
  db: Database
  chain: Chain
  /**
   * False while the operator has switched payouts off: none gets a nonce then. One that has a nonce is still sent, because
   * its bytes may have left the process already, and an unused nonce would block everything behind it.
   */
  payoutsEnabled: boolean
  limits: Pick<GasLimits, 'LOW_GAS_PAYOUTS'>
}

/** The transaction handler of payouts. It decides from the chain alone. */
export function createPayoutHandler(options: PayoutHandlerOptions): TransactionHandler {
  const { db, chain } = options
  return {
    async prepare(transaction, from, depth) {
      const { head } = depth
      const payout = await getPayout(db, transaction.entityId)
      if (await isPaid(chain.client, payout, head))
        return afterPayment(options, payout, from, await adopt(options, payout, depth))
      if (!options.payoutsEnabled) return { next: 'wait', reason: 'payouts are switched off' }
      if (payout.permitIsRunning) return { next: 'wait', reason: 'a change of the allowance is on its way' }
      // What buyers stand behind goes first, also where the last gas is left.
      const yields = !payout.isBacked && (await backedAreQueued(db, chain.id))
      if (yields && (await keepsGasForPayouts(chain.client, from, options.limits)))
        return { next: 'wait', reason: keptForPayouts }
      const { to, data } = transaction
      try {
        // At the lane's head: a node that lags behind must not report a founder as unfunded.
        const estimate = await estimateGas(chain, { from, to, data }, head)
        if ('refusal' in estimate) {
          // No founder can mend that. Another key takes it, or it waits until the right is back.
          const [lacking] = await notOperators(chain.client, to, [from], BigInt(head))
          if (lacking && !payout.isOverdue)
            return { next: 'wait', reason: rightGone, alarm: 'operator_removed' }
          const why = await refusalOf(chain, payout, estimate.error)
          return { next: 'refuse', reason: estimate.refusal, apply: failing(payout, why), alarm: why.alarm }
        }
        return { next: 'send', gasLimit: estimate.gas + (estimate.gas * gasMarginPercent) / 100n }
      } catch (error) {
        if (!(error instanceof UnclearReplyError && payout.isOverdue)) throw error
        // Nothing was signed, so it can end.
        return { next: 'refuse', reason: error.message, apply: failing(payout, unclear) }
      }
    },

    async evaluateReceipt(transaction, receipt, depth): Promise<ReceiptOutcome> {
      const payout = await getPayout(db, transaction.entityId)
      if (receipt.status === 'success') return evaluateSuccess(chain, payout, receipt)
      if (await isPaid(chain.client, payout, depth.head)) return evaluateDuplicate(options, payout, depth)
      // A receipt does not say why. Where the call would be let through now, the chain's state says it.
      const call = { from: receipt.from, to: transaction.to, data: transaction.data }
      const now = await estimateGas(chain, call, depth.head).catch(() => undefined)
      const why = await refusalOf(chain, payout, now && 'error' in now ? now.error : undefined)
      return { kind: 'final', apply: failing(payout, why) }
    },

    markStuck,
    requeue: requeuePayout,
  }
}

async function evaluateSuccess(
  chain: Chain,
  payout: Payout,
  receipt: TransactionReceipt,
): Promise<ReceiptOutcome> {
  const treasury = await treasuryOf(chain, payout)
  const problem = payoutAnomaly(payout, treasury, receipt.logs)
  if (problem) return { kind: 'anomaly', problem }
  const { submissionId } = payout
  const apply: Apply = (trx) => settlePayout(trx, submissionId, receipt.transactionHash)
  return { kind: 'final', apply }
}

/** Our transaction reverted because the payout had been made before: by an earlier one of ours, or by somebody else. */
async function evaluateDuplicate(
  options: PayoutHandlerOptions,
  payout: Payout,
  depth: Depth,
): Promise<ReceiptOutcome> {
  const adoption = await adopt(options, payout, depth)
  // A lost transaction is settled when it is final; until then this one is checked again.
  if (adoption.next !== 'adopt') return { kind: 'wait' }
  return { kind: 'final', apply: adoption.apply }
}

/**
 * Settles a payout by the payment that was made under its id, by any sender. A payment by a known transaction counts at
 * the confirmation depth, because its signer keeps checking it. A transaction of our signers that the database has lost is
 * restored first. An external caller's payment counts only when it is final, because no signer checks it. A payment to
 * another wallet waits for an operator. Its dollars are those that the chain shows, whatever was locked when it was approved.
 */
async function adopt(
  { db, chain }: PayoutHandlerOptions,
  payout: Payout,
  { head, counted, final }: Depth,
): Promise<Adoption> {
  const { submissionId } = payout
  const own = await findOwnPayment(chain.client, payout, await listHashes(db, submissionId))
  const payment = own ?? (await findAnyPayment(chain.client, payout, head, payout.payableSince))
  const { hash, blockNumber, released } = payment ?? { hash: null, blockNumber: 0, released: undefined }
  if (blockNumber > counted) return { next: 'wait' }
  if (!payment?.exact) {
    const problem = `paid by ${hash ?? unfound}, but not by exactly this payout`
    return { next: 'adopt', hash, apply: (trx) => markStuck(trx, submissionId, problem) }
  }
  const dollars = await releasedDollars(chain, payout, released)
  if (own || blockNumber <= final)
    return {
      next: 'adopt',
      hash: payment.hash,
      apply: (trx) => settlePayout(trx, submissionId, payment.hash, dollars),
    }
  const lost = await rebuildTransaction(chain, payment.hash)
  if (!lost || (await isNonceTaken(db, chain.id, lost))) return { next: 'wait' }
  return { next: 'restore', hash: payment.hash, lost, dollars }
}

/** The next step for a queued transaction whose payout is paid already. */
function afterPayment(
  { chain }: PayoutHandlerOptions,
  { submissionId }: Payout,
  signer: Address,
  adoption: Adoption,
): Preparation {
  if (adoption.next === 'wait')
    return { next: 'wait', reason: 'it is paid already, and the payment is not confirmed yet' }
  const reason = `paid already by ${adoption.hash ?? unfound}`
  if (adoption.next === 'adopt') return { next: 'refuse', reason, apply: adoption.apply }
  const { lost, dollars } = adoption
  if (!isAddressEqual(lost.from, signer)) return { next: 'leave', to: lost.from, reason }
  const apply: Apply = async (trx) => {
    await restoreTransaction(trx, submissionId, chain.id, lost, dollars)
    return undefined
  }
  return { next: 'refuse', reason, apply }
}

/** The payout fails, and the founder hears why. */
const failing =
  ({ submissionId }: Payout, why: Refusal): Apply =>
  (trx) =>
    failPayout(trx, submissionId, why)

const unclear: Refusal = {
  code: 'payout_failed',
  message:
    "The chain's node does not say whether it takes the payout. Nothing was sent; the submission is pending again. Approve again later.",
}
