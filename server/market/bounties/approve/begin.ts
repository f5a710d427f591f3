import type { Caller } from '../../../auth/api-keys.ts'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../errors.ts'
import type { Review } from '../../../lifecycle/situation.ts'
import { payoutIdOf } from '../../../money/chain/on-chain-ids.ts'

/** What the founder said with the approval. */
interface ApprovalInput {
  /** The bounty. */
  id: string
  review_notes?: string | undefined
  expected_head_sha?: string | undefined
  attachedRequest: string
}

/**
 * Checks that a submission can be paid now and stores the intent, or joins the payout that is running. The caller is then the one
 * request that is attached to the payout.
 */
export async function beginApproval(
  ctx: Context & { agent: Caller },
  { id: submissionId, status }: Review,
  { id: bountyId, review_notes: reviewNotes, expected_head_sha: headSha, attachedRequest }: ApprovalInput,
): Promise<void> {
  const { chain, config, db, payouts } = ctx.services
  // They connect this request with the log lines of its payout.
  const ids = {
    entityId: submissionId,
    ...(chain.chain && { payout_id: payoutIdOf(chain.chain.id, bountyId) }),
  }
  const resume = { submission_id: submissionId }
  if (status === 'approving') {
    if (!config.PAYOUTS_ENABLED)
      throw new ServiceError(
        'payouts_disabled',
        'The operator has switched payouts off. This payout was stored before. If it was sent, it may still be made. ' +
          'Approve again later to join it.',
      )
    // Stored first, so that a request that is refused or dies here finds what it was about to join when it is repeated.
    await ctx.idempotent?.storeResume(db, resume)
    if (!(await payouts.join(db, submissionId, attachedRequest)))
      throw new ServiceError('approval_in_progress')
    ctx.log.info(ids, 'approval joined the running payout')
    return
  }
  const approval = { bountyId, submissionId, founderId: ctx.agent.id, acceptedBy: 'founder' } as const
  await payouts.begin({ ...approval, headSha, reviewNotes, attachedRequest }, async (trx) =>
    ctx.idempotent?.storeResume(trx, resume),
  )
  ctx.log.info(ids, 'approval stored; its payout begins')
}
