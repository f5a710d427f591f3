import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Chain } from '../../chain/chain.ts'
import { payoutIdOf } from '../../chain/units.ts'
import type { Database } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { findSubmissionToPay, startApproval } from '../../operations/bounties/approval-queries.ts'
import { lockBounty } from '../../operations/bounties/queries.ts'
import type { PayoutEngine } from '../../payouts/engine.ts'
import { type ChainPayment, paymentsSince } from './payments.ts'
import { bookedNonces, knownPayouts, lastActivity, unpaidSubmissions } from './queries.ts'

/** What the clocks of chain and database may differ, in ms, with room for payments of a long approval. */
const clockSlackMs = 86_400_000

interface Recognizing {
  db: Database
  chain: Chain
  payouts: PayoutEngine
  log: Logger
}

/**
 * Finds out at the start whether the database is older than the chain, as after the restore of a backup: then payments
 * it has lost are looked up and handed to the payout engine, which settles them without paying again. A payment of a
 * submission that is lost with its database is named in the log, for a person.
 */
export async function recognizePayments(context: Recognizing): Promise<void> {
  const { db, chain, log } = context
  const last = await lastActivity(db)
  if (!last || !(await isBehind(db, chain))) return
  log.warn({ since: last }, 'operator keys have sent what this database does not know: looking for payments')
  const since = new Date(last.getTime() - clockSlackMs)
  const payments = await paymentsSince(chain.client, chain.platformWallet, since)
  const known = await knownPayouts(
    db,
    payments.map(({ payoutId }) => payoutId),
  )
  const unpaid = new Map(
    (await unpaidSubmissions(db)).map((submission) => [payoutIdOf(chain.id, submission.id), submission]),
  )
  for (const payment of payments) {
    const submission = unpaid.get(payment.payoutId)
    if (submission) await adopt(context, submission, payment)
    else if (!known.has(payment.payoutId))
      log.error(
        {
          payout_id: payment.payoutId,
          hash: payment.hash,
          token: payment.token,
          to: payment.to,
          amount: payment.amount.toString(),
        },
        'NEEDS OPERATOR: paid for a submission that this database has lost; its bounty must not be paid again',
      )
  }
}

/** Whether the chain has mined more of some operator key than our book says was ever signed. */
async function isBehind(db: Database, chain: Chain): Promise<boolean> {
  const booked = await bookedNonces(db, chain.id)
  const mined = await Promise.all(
    chain.operators.map(({ address }) => chain.client.getTransactionCount({ address, blockTag: 'latest' })),
  )
  return chain.operators.some(
    ({ address }, index) => (mined[index] ?? 0) > (booked.get(address.toLowerCase()) ?? 0),
  )
}

/** Approves once more what was approved before, with exactly the amounts that were paid. */
async function adopt(
  { db, payouts, log }: Recognizing,
  submission: { id: string; bounty_id: string; review_notes: string | null },
  payment: ChainPayment,
): Promise<void> {
  const waiter = randomUUID()
  const adopted = await inTransaction(db, async (trx) => {
    await lockBounty(trx, submission.bounty_id)
    const now = await findSubmissionToPay(trx, submission.bounty_id)
    if (now?.id !== submission.id || now.status !== 'pending') return false
    await startApproval(trx, submission.id, submission.review_notes)
    const { token, from, to, amount, fee } = payment
    await payouts.request(trx, { submissionId: submission.id, token, from, to, amount, fee }, waiter)
    return true
  })
  if (!adopted) return
  await payouts.leave(submission.id, waiter)
  log.warn({ subject: submission.id, hash: payment.hash }, 'a payment was recognised; it will be settled')
}
