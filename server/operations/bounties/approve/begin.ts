import type { Address } from 'viem'
import { payoutIdOf, splitReward } from '../../../chain/units.ts'
import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { PayoutRequest } from '../../../engines/payouts/engine.ts'
import { findSubmissionToPay, lockBounty, startApproval } from '../../../engines/payouts/review.ts'
import { ServiceError } from '../../../errors.ts'
import { reviewEndedError } from '../review-ended-error.ts'
import { ensureFunds, fundsOf, payable } from './checks.ts'
import type { BountyToApprove } from './queries.ts'

/** An approval that is to be stored. */
interface Approval {
  payout: PayoutRequest
  reviewNotes: string | null
  /** The request that waits for the payout. */
  attachedRequest: string
}

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
  ctx: Context,
  bounty: BountyToApprove,
  { review_notes: reviewNotes = null, expected_head_sha: headSha }: ApprovalInput,
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
    // Stored first, so that a request that is repeated after a crash finds what it was about to join.
    await ctx.idempotent?.storeResume(db, { submission_id: submissionId })
    if (!(await payouts.join(submissionId, attachedRequest))) throw new ServiceError('approval_in_progress')
    logPayout(ctx, bounty.id, submissionId, 'approval joined the running payout')
    return submissionId
  }
  const { token, from } = fundsOf(bounty)
  const to = payable(bounty.wallet_address, from)
  await ensureFunds(ctx, bounty, token, from)
  const { net, fee } = splitReward(bounty.reward_amount, ctx.services.config.PLATFORM_FEE_BPS)
  const payout = { bountyId: bounty.id, submissionId, token, from, to, amount: net, fee, headSha }
  const isFirst = bounty.payout_status === null
  const approval = { payout, reviewNotes, attachedRequest }
  await (isFirst ? beginFirst : beginAgain)(ctx, approval).catch(async (error) => {
    // The commit may have happened although its confirmation was lost. Then nobody waits for the payout.
    await payouts.leave(submissionId, attachedRequest).catch(() => undefined)
    throw error
  })
  logPayout(ctx, bounty.id, submissionId, 'approval stored; its payout begins')
  return submissionId
}

/**
 * Stores the first payout of a submission. The Idempotency-Key learns of it before it exists, so a repeated request
 * finds either the payout, or nothing and begins again.
 */
async function beginFirst(ctx: Context, approval: Approval): Promise<void> {
  const { db, payouts } = ctx.services
  const { payout, reviewNotes, attachedRequest } = approval
  await ctx.idempotent?.storeResume(db, { submission_id: payout.submissionId })
  const onlyIf = ctx.idempotent?.stillHeld
  const begun = await payouts.begin(payout, { reviewNotes, onlyIf }, attachedRequest)
  if (!begun) await beginAgain(ctx, approval)
}

/** Locks the bounty first and then checks everything again. */
function beginAgain(ctx: Context, { payout, reviewNotes, attachedRequest }: Approval): Promise<void> {
  const { db, payouts } = ctx.services
  const { bountyId, submissionId, from } = payout
  return inTransaction(db, async (trx) => {
    await lockBounty(trx, bountyId)
    const now = await findSubmissionToPay(trx, bountyId)
    if (now?.id !== submissionId) throw await reviewEndedError(trx, bountyId, submissionId)
    if (now.status !== 'pending') throw new ServiceError('approval_in_progress')
    // Read again under the lock, because the payout pays the wallet that is stored with it.
    const to = payable(now.wallet_address, from as Address)
    await startApproval(trx, submissionId, reviewNotes)
    await payouts.request(trx, { ...payout, to }, attachedRequest)
    await ctx.idempotent?.storeResume(trx, { submission_id: submissionId })
  })
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
