import type { Database } from '../../db/client.ts'
import type { UnpaidEnding } from '../../engines/payouts/review.ts'
import { ServiceError } from '../../errors.ts'
import { bountyCancelled } from './cancelled.ts'
import { findUnreviewedSubmission } from './queries.ts'

/**
 * The error for a review that is over. Its message says how the review of `submissionId`, or of the bounty's latest
 * submission, ended, with the transaction if it was paid.
 */
export async function reviewEndedError(
  db: Database,
  bountyId: string,
  submissionId?: string,
): Promise<ServiceError> {
  const { status } = await db
    .selectFrom('bounties')
    .select('status')
    .where('id', '=', bountyId)
    .executeTakeFirstOrThrow()
  if (status === 'cancelled') return bountyCancelled()
  let reviewed = db
    .selectFrom('submissions')
    .leftJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .where('submissions.bounty_id', '=', bountyId)
    .where('submissions.reviewed_at', 'is not', null)
  if (submissionId !== undefined) reviewed = reviewed.where('submissions.id', '=', submissionId)
  const latest = await reviewed
    .orderBy('submissions.reviewed_at', 'desc')
    .select([
      'submissions.id',
      'submissions.status',
      'submissions.reviewed_at',
      'payouts.tx_hash',
      'payouts.status as payout',
    ])
    .executeTakeFirst()
  // Without a named submission, the message is about the bounty, which has none in review.
  const nothing = submissionId === undefined ? 'nothing waits for review; ' : ''
  const ending =
    latest?.status === 'approved'
      ? `submission ${latest.id} was approved and ${paid(latest)}`
      : latest
        ? `${nothing}submission ${latest.id} ${unpaid[latest.status as UnpaidEnding]} at ${latest.reviewed_at?.toISOString()}`
        : 'nothing was submitted to it yet'
  return new ServiceError('bounty_not_in_review', `The bounty is \`${status}\`: ${ending}.`)
}

/**
 * The error for a review of `named`, or of whatever is in review: `submission_changed` if another submission is in review by
 * now, else that of {@link reviewEndedError}.
 */
export async function notInReview(
  db: Database,
  bountyId: string,
  named: string | undefined,
): Promise<ServiceError> {
  const waiting = named === undefined ? undefined : await findUnreviewedSubmission(db, bountyId)
  if (waiting && waiting.id !== named)
    return new ServiceError(
      'submission_changed',
      `Submission ${waiting.id} is in review now, not ${named}. Read it before you review it.`,
    )
  return reviewEndedError(db, bountyId, named)
}

/** How a review ended without a payment, by the status of its submission. */
const unpaid: Record<UnpaidEnding, string> = {
  rejected: 'was rejected',
  changes_requested: 'was sent back for changes',
  retracted: 'was retracted by its contributor',
}

/** A reorg may have removed the payment, so its hash counts only while the payout is settled. */
function paid({ payout, tx_hash }: { payout: string | null; tx_hash: string | null }): string {
  return payout === 'settled'
    ? `paid by transaction ${tx_hash}`
    : 'its payout is not settled; the operator has been notified'
}
