import type { Address } from 'viem'
import type { Caller } from '../../../auth/api-keys.ts'
import { payoutIdOf, splitReward } from '../../../chain/units.ts'
import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { ServiceError } from '../../../errors.ts'
import { edges } from '../../../lifecycle/edges.ts'
import { move, refusalOf } from '../../../lifecycle/move.ts'
import { readSituation } from '../../../lifecycle/situation.ts'
import { ensureFunds, fundsOf } from './checks.ts'
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
  const asked = { id: bounty.id, caller: ctx.agent.id, submission: submissionId }
  const refusal = await refusalOf(db, edges.approve, await readSituation(db, asked))
  if (refusal) throw refusal
  const { token, from } = fundsOf(bounty)
  await ensureFunds(ctx, bounty, token, from)
  const { net, fee } = splitReward(bounty.reward_amount, ctx.services.config.PLATFORM_FEE_BPS)
  const payout = { bountyId: bounty.id, submissionId, token, from, amount: net, fee, headSha }
  await inTransaction(db, async (trx) => {
    // The payout pays the wallet that the contributor has now, under the lock.
    const { review } = await move(trx, edges.approve, asked, { review_notes })
    await payouts.request(trx, { ...payout, to: review?.wallet_address as Address }, attachedRequest)
    await ctx.idempotent?.storeResume(trx, { submission_id: submissionId })
  }).catch(async (error) => {
    // The commit may have happened although its confirmation was lost. Then nobody waits for the payout.
    await payouts.leave(submissionId, attachedRequest).catch(() => undefined)
    throw error
  })
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
