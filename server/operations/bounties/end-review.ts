import type { Caller } from '../../auth/api-keys.ts'
import type { Context } from '../../context.ts'
import { recordActivity } from '../../db/activity.ts'
import type { Database } from '../../db/client.ts'
import { claimHours } from '../../db/deadlines.ts'
import type { JsonObject } from '../../db/generated/tables.ts'
import { confirmNothingPays } from '../../engines/payouts/gate.ts'
import { lockBounty } from '../../engines/payouts/review.ts'
import { ServiceError } from '../../errors.ts'
import { requireFounder } from '../require-founder.ts'
import {
  bountyForAction,
  type Ending,
  endSubmission,
  findUnreviewedSubmission,
  openBounty,
  renewClaim,
} from './queries.ts'
import { notInReview } from './review-ended-error.ts'

/** A review that is to end without a payment. */
interface Review {
  bounty: { id: string; project_id: string }
  /** The submission that is meant; by default the one that is in review. */
  submissionId?: string | undefined
  ending: Ending
  /** Of the entry in the log. */
  data?: JsonObject
  /** The error where the submission is not in review, which `trx` may ask for. */
  refusal(trx: Database): Promise<ServiceError>
}

interface Responding<Response> {
  /** The whole response body. */
  respond(submissionId: string): Response
}

/**
 * Ends a review without a payment, at its contributor's or founder's request.
 * @throws ServiceError as {@link prepareEnding}
 */
export async function endReview<Response>(
  ctx: Context,
  { respond, ...review }: Review & Responding<Response>,
): Promise<Response> {
  const end = await prepareEnding(ctx, review)
  return ctx.transact(async (trx) => respond(await end(trx)))
}

/**
 * Ends a review without a payment: rejecting, requesting changes and retracting are this function. It passes the gate
 * that keeps a submission from being paid after its end.
 * @returns what ends it in a transaction, and returns the id of the submission
 * @throws ServiceError `approval_in_progress`, `chain_unreachable`, `chain_not_configured`, and that of `refusal`
 */
export async function prepareEnding(
  { services: { config, db, payouts } }: Context,
  { bounty, submissionId, ending, data, refusal }: Review,
): Promise<(trx: Database) => Promise<string>> {
  const waiting = await findUnreviewedSubmission(db, bounty.id)
  const unpaid =
    waiting && waiting.id === (submissionId ?? waiting.id)
      ? await payouts.ensureNothingPays({ submissionId: waiting.id, bountyId: bounty.id })
      : undefined
  return async (trx) => {
    const { status } = await lockBounty(trx, bounty.id)
    const submission = await findUnreviewedSubmission(trx, bounty.id)
    if (status !== 'in_review' || !submission || submission.id !== (submissionId ?? submission.id))
      throw await refusal(trx)
    if (submission.status === 'approving' || submission.id !== unpaid?.submissionId)
      throw new ServiceError('approval_in_progress')
    await confirmNothingPays(trx, unpaid)
    await endSubmission(trx, { id: submission.id, ...ending })
    if (ending.status === 'changes_requested')
      await renewClaim(trx, bounty.id, JSON.stringify(claimHours(config)))
    else await openBounty(trx, bounty.id)
    await recordActivity(trx, {
      type: `submission.${ending.status}`,
      agent_id: submission.agent_id,
      project_id: bounty.project_id,
      bounty_id: bounty.id,
      submission_id: submission.id,
      ...(data && { data }),
    })
    return submission.id
  }
}

/**
 * Ends the review of a bounty's submission for its founder: of the one that is named, or of the one in review.
 * @throws ServiceError `bounty_not_found`, `not_founder`, `bounty_not_in_review`, `submission_changed`, and those of
 * {@link endReview}
 */
export async function endReviewAsFounder<Response>(
  ctx: Context & { agent: Caller },
  { id, submission_id: submissionId }: { id: string; submission_id?: string | undefined },
  { ending, respond }: Pick<Review, 'ending'> & Responding<Response>,
): Promise<Response> {
  const [row] = await ctx.services.reads.run(bountyForAction({ id }))
  const bounty = requireFounder('bounty', row, ctx.agent.id)
  const refusal = (trx: Database) => notInReview(trx, bounty.id, submissionId)
  return endReview(ctx, { bounty, submissionId, ending, refusal, respond })
}
