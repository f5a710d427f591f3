import type { TransactionReceipt } from 'viem'
import type { Chain } from '../chain/chain.ts'
import type { Database } from '../db/connect.ts'
import type { ErrorCode } from '../errors.ts'
import { isRevert, nodeErrorText } from '../transactions/answers.ts'
import type { Judgement, LaneTransaction, Preparation, TransactionOwner } from '../transactions/types.ts'
import { coversPayout, findPayment, payoutAnomaly } from './evidence.ts'
import { failPayout, getPayout, markStuck, type Payout, settlePayout } from './store.ts'

/** Part of an estimate that is added as room, in percent: storage costs depend on the order of payouts. */
const gasRoomPercent = 25n

/** Decides, from the chain alone, what becomes of payouts. */
export function createPayoutOwner(options: {
  db: Database
  chain: Chain
  confirmations: number
}): TransactionOwner {
  const { db, chain, confirmations } = options

  /** A payout id that the wallet has paid is settled by that payment, whoever sent it. */
  async function adopt(payout: Payout): Promise<Preparation> {
    const [payment, head] = await Promise.all([
      findPayment(chain.client, payout),
      chain.client.getBlockNumber(),
    ])
    if (!payment || Number(head) - payment.blockNumber + 1 < confirmations) return { next: 'wait' }
    const reason = `paid already by ${payment.hash}`
    return {
      next: 'refuse',
      reason,
      apply: (trx) =>
        payment.exact
          ? settlePayout(trx, payout.submissionId, payment.hash)
          : markStuck(trx, payout.submissionId, `${reason}, but not exactly this payout`),
    }
  }

  async function failure(payout: Payout): Promise<{ code: ErrorCode; message: string }> {
    if (await chain.isPaused())
      return { code: 'payouts_disabled', message: 'Payouts are paused; the submission is pending again.' }
    if (!(await coversPayout(chain, payout))) return { code: 'insufficient_funds', message: shortOfFunds }
    return {
      code: 'payout_failed',
      message: 'The chain refused the payout; the submission is pending again. Approve again later.',
    }
  }

  return {
    async prepare(transaction, from): Promise<Preparation> {
      const payout = await getPayout(db, transaction.subject)
      if (await chain.isPaid(payout.payoutId)) return adopt(payout)
      try {
        const { to, data } = transaction
        const estimate = await chain.client.estimateGas({ account: from, to, data })
        return { next: 'send', gasLimit: estimate + (estimate * gasRoomPercent) / 100n }
      } catch (error) {
        if (!isRevert(error)) throw error
        const why = await failure(payout)
        return {
          next: 'refuse',
          reason: nodeErrorText(error),
          apply: (trx) => failPayout(trx, payout.submissionId, { transactionId: transaction.id, ...why }),
        }
      }
    },

    async judge(transaction: LaneTransaction & { subject: string }, receipt): Promise<Judgement> {
      const payout = await getPayout(db, transaction.subject)
      if (receipt.status === 'success') return judgeSuccess(payout, receipt)
      if (await chain.isPaid(payout.payoutId)) return judgeDuplicate(payout)
      const why = await failure(payout)
      return {
        apply: (trx) => failPayout(trx, payout.submissionId, { transactionId: transaction.id, ...why }),
      }
    },

    stuck: markStuck,
  }

  function judgeSuccess(payout: Payout, receipt: TransactionReceipt): Judgement {
    const anomaly = payoutAnomaly(payout, chain.treasury, receipt.logs)
    if (anomaly) return { anomaly }
    return { apply: (trx) => settlePayout(trx, payout.submissionId, receipt.transactionHash) }
  }

  async function judgeDuplicate(payout: Payout): Promise<Judgement> {
    const payment = await findPayment(chain.client, payout)
    if (!payment?.exact) return { anomaly: 'the payout id is paid, but not by exactly this payout' }
    return { apply: (trx) => settlePayout(trx, payout.submissionId, payment.hash) }
  }
}

const shortOfFunds =
  "The founder's token balance or allowance does not cover the reward; the submission is pending again. " +
  'Fund the wallet or raise the allowance, then approve again.'
