import type { Caller } from '../../../auth/api-keys.ts'
import { payoutIdOf } from '../../../chain/units.ts'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../errors.ts'
import type { BountyToApprove } from './queries.ts'

/** What the founder said with the approval. */
interface ApprovalInput {
  review_notes?: string | null | undefined
  expected_head_sha?: string | undefined
}

/**
 * Checks that the bounty's submission can be paid now and stores the intent, or joins the payout that is running.
 * Returns the submission's id. The caller is then the one request that is attached to the payout.
 */
export async function beginApproval(
  ctx: Context & { agent: Caller },
  bounty: BountyToApprove,
  { review_notes, expected_head_sha: headSha }: ApprovalInput,
  attachedRequest: string,
): Promise<string> {
  const { db, payouts } = ctx.services
  const submissionId = bounty.submission_id
  if (submissionId === null) throw new ServiceError('no_pending_submission')
  if (bounty.submission_status === 'approving') {
    if (!ctx.services.config.PAYOUTS_ENABLED)
      throw new ServiceError(
        'payouts_disabled',
        'The operator has switched payouts off. This payout was stored before. If it was sent, it may still be made. ' +
          'Approve again later to join it.',
      )
    // Stored first, so that a request that is refused or dies here finds what it was about to join when it is repeated.
    await ctx.idempotent?.storeResume(db, { submission_id: submissionId })
    if (!(await payouts.join(db, submissionId, attachedRequest)))
      throw new ServiceError('approval_in_progress')
    logPayout(ctx, bounty.id, submissionId, 'approval joined the running payout')
    return submissionId
  }
  const approval = { bounty, submissionId, founderId: ctx.agent.id, acceptedBy: 'founder', headSha } as const
  await payouts.begin({ ...approval, reviewNotes: review_notes, attachedRequest }, async (trx) =>
    ctx.idempotent?.storeResume(trx, { submission_id: submissionId }),
  )
  logPayout(ctx, bounty.id, submissionId, 'approval stored; its payout begins')
  return submissionId
}

/** Logs the ids that connect this request with the log lines of its payout. */
function logPayout(
  { log, services }: Context,
  bountyId: string,
  submissionId: string,
  message: string,
): void {
  const { chain } = services.chain
  log.info({ entityId: submissionId, ...(chain && { payout_id: payoutIdOf(chain.id, bountyId) }) }, message)
}
