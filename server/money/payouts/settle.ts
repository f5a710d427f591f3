import { sql } from 'kysely'
import type { Hash } from 'viem'
import type { Database } from '../../db/client.ts'
import type { ErrorCode } from '../../errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { type Moving, moveAll } from '../../lifecycle/move.ts'
import { lockBounty } from '../../lifecycle/situation.ts'
import { endedUnpaid } from '../../lifecycle/statuses.ts'
import { toDecimal } from '../chain/units.ts'
import { moveOrder, moveOrderIf } from '../orders/move.ts'
import { hasLiveTransaction } from '../transactions/live.ts'
import type { Problem } from '../transactions/types.ts'
import { type Dollars, dollarColumns, presentDollars } from './dollars.ts'

const paymentTakenBack = 'it was reported paid, and then the chain took the payment back and refused it'

/**
 * Settles a payout in the caller's transaction, whatever state it is in; nothing else stores a success. Settling again only
 * replaces the hash, since a reorganisation may have preferred another attempt. If the review ended without a payment after
 * the payout had been reported failed, an operator has to decide: returns the problem.
 * @param found the dollars that the payment has moved. Default: those of the payout
 */
export async function settlePayout(
  trx: Database,
  submissionId: string,
  hash: Hash,
  found?: Dollars,
): Promise<Problem | undefined> {
  const payout = await lockPayout(trx, submissionId)
  const { payout_status, submission_status, amount, fee, accepted_by } = payout
  if (payout_status === 'settled' && payout.tx_hash === hash) return undefined
  const dollars = presentDollars(found ? dollarColumns(found) : payout)
  if (dollars) await moveOrderIf(trx, 'deposit', 'pay', payout.id, { end_tx: hash })
  if (endedUnpaid(submission_status)) {
    const error = paidAfterReview(hash)
    return (await moveOrderIf(trx, 'payout', 'dispute', submissionId, { error })) ? error : undefined
  }
  if (submission_status === 'pending') await moveAll(trx, edges.recognize, [payout])
  await moveOrder(trx, 'payout', 'settle', submissionId, {
    tx_hash: hash,
    ...(found && dollarColumns(found)),
  })
  // One transaction makes both transfers.
  const approved = { contributor_tx_hash: hash, platform_fee_tx_hash: hash }
  const confirmed = { tx_hash: hash, ...(dollars && { dollars }) }
  if (submission_status === 'approved') await replaceHash(trx, submissionId, { approved, confirmed })
  else {
    const data = {
      'submission.approved': {
        ...approved,
        net: toDecimal(BigInt(amount)),
        fee: toDecimal(BigInt(fee)),
        accepted_by,
      },
      'payout.confirmed': confirmed,
    }
    await moveAll(trx, edges.pay, [{ ...payout, data }])
  }
  return undefined
}

const paidAfterReview = (hash: Hash) =>
  `paid by ${hash} after it had been reported failed and its review had ended without a payment`

/** Approved before: the chain took the payment back and then made it again. The feed has its entries already. */
async function replaceHash(
  trx: Database,
  submissionId: string,
  { approved, confirmed }: { approved: object; confirmed: object },
): Promise<void> {
  await trx
    .updateTable('activity')
    .set({
      data: sql`data || case type when 'payout.confirmed' then ${JSON.stringify(confirmed)}::jsonb
        else ${JSON.stringify(approved)}::jsonb end`,
    })
    .where('submission_id', '=', submissionId)
    .where('type', 'in', ['payout.confirmed', 'submission.approved'])
    .execute()
}

/**
 * The payout is not made: it fails, and its submission is pending again. Does nothing while another transaction of the
 * payout is alive. If the payout had been reported paid, an operator has to decide: returns the problem.
 */
export async function failPayout(
  trx: Database,
  submissionId: string,
  failure: { code: ErrorCode; message: string },
): Promise<Problem | undefined> {
  const payout = await lockPayout(trx, submissionId)
  if (payout.payout_status === 'failed' || (await hasLiveTransaction(trx, 'payout', submissionId)))
    return undefined
  if (payout.submission_status !== 'approving') return markStuck(trx, submissionId, paymentTakenBack)
  const error = { error_code: failure.code, error: failure.message }
  await moveOrder(trx, 'payout', 'fail', submissionId, error)
  await moveAll(trx, edges.fail, [payout])
  return undefined
}

/**
 * The payout waits for an operator; until then it is neither paid again nor reported failed. Returns the problem if it was not
 * waiting before.
 */
export async function markStuck(
  trx: Database,
  submissionId: string,
  problem: Problem,
): Promise<Problem | undefined> {
  const isMoved = await moveOrderIf(trx, 'payout', 'callOperator', submissionId, { error: problem })
  return isMoved ? problem : undefined
}

/** Locks bounty, submission and payout, in this order. */
async function lockPayout(trx: Database, submissionId: string) {
  const { bounty_id } = await trx
    .selectFrom('submissions')
    .select('bounty_id')
    .where('id', '=', submissionId)
    .executeTakeFirstOrThrow()
  await lockBounty(trx, bounty_id)
  const locked = await trx
    .selectFrom('submissions')
    .innerJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .where('submissions.id', '=', submissionId)
    .select(['submissions.status as submission_status', 'submissions.agent_id', 'submissions.project_id'])
    .select('submissions.accepted_by')
    .select(['payouts.status as payout_status', 'payouts.tx_hash', 'payouts.amount', 'payouts.fee'])
    .select(['payouts.dollars', 'payouts.dollar_fee'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { ...locked, id: bounty_id, submission_id: submissionId } satisfies Moving
}
