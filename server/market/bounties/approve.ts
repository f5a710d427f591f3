import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { commitSha, freeText, id, transactionHash } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { chainErrors, codeHostErrors } from '../../lifecycle/declared-errors.ts'
import { notInReview, reviewEnded } from '../../lifecycle/refusals.ts'
import { readSituation } from '../../lifecycle/situation.ts'
import { emitStep } from '../../loops/crash-steps.ts'
import { agentProcedure } from '../../trpc.ts'
import { beginApproval } from './approve/begin.ts'
import { confirmHead } from './approve/checks.ts'
import { respond } from './approve/respond.ts'
import { requireOwnBounty } from './require-bounty.ts'
import { bountyStatus, reviewedSubmission } from './schema.ts'
import { orPostponeReview } from './seen-work.ts'

/** How long an approval waits for its payout at least, in ms, if the checks before it took all the time. */
const shortestWaitMs = 1000

export const approve = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/approve',
  summary: 'Approve the submission and pay the reward',
  description:
    "Founder only. Moves the reward on chain from the founder's wallet to the contributor's, minus the platform fee, " +
    'and the fee to the treasury, both in one transaction and never twice for one bounty. Waits for the outcome. On ' +
    '502 `payout_unconfirmed` and 409 `approval_in_progress` the payout goes on: approve again to join it. After ' +
    '`payout_failed`, `insufficient_funds`, `payouts_disabled`, `payout_limit_reached` and what begins with `dollars_` nothing was ' +
    'paid and the submission is pending. ' +
    'Name the submission that you looked at in `submission_id`: another may be in review by now.',
  errors: [
    'bounty_not_found',
    'not_founder',
    'bounty_not_in_review',
    'no_pending_submission',
    'submission_changed',
    'contributor_wallet_missing',
    'contributor_wallet_is_founders',
    'insufficient_funds',
    'dollars_refused',
    'dollars_lock_over',
    'dollars_above_cap',
    'approval_in_progress',
    'dollars_in_flight',
    'pull_request_gone',
    'pull_request_invalid',
    'pull_request_changed',
    'pull_request_not_mergeable',
    ...codeHostErrors,
    'payout_failed',
    'payout_unconfirmed',
    'payout_limit_reached',
    'idempotency_in_progress',
    ...chainErrors,
    'payouts_disabled',
  ],
  bulkhead: 'approvals',
  clientTimeoutSeconds: 100,
})
  .input(
    z.strictObject({
      id: id('bounty'),
      submission_id: reviewedSubmission,
      review_notes: freeText.optional().describe('Comment of the founder on the submission. Public.'),
      expected_head_sha: commitSha
        .optional()
        .describe(
          'The commit that you have reviewed. The code host is asked right before the payment: if the pull request has another ' +
            'newest commit, or cannot be merged, nothing is paid. Required where commits came after the submission; else ' +
            'the host is asked only about what it has reported since.',
        ),
    }),
  )
  .output(
    z.object({
      bounty_id: id('bounty'),
      status: bountyStatus,
      submission_id: id('submission'),
      contributor_tx_hash: transactionHash.describe('Transaction that paid the contributor.'),
      platform_fee_tx_hash: transactionHash.describe('Transaction that paid the platform fee: the same one.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { config, db, payouts } = ctx.services
    const began = performance.now()
    const asked = { id: input.id, caller: ctx.agent.id, submission: input.submission_id }
    const bounty = requireOwnBounty(await readSituation(db, asked), ctx.agent.id)
    const { review } = bounty

    // A repeated request whose first response was lost gets that response, not "already done".
    const earlier = ctx.idempotent?.resume?.submission_id
    const known = earlier === undefined ? undefined : await payouts.outcome(db, earlier)
    if (earlier !== undefined && (known?.state === 'settled' || known?.state === 'stuck'))
      return respond(ctx, bounty.id, earlier, known)
    // Another submission may be in review by now. This request was not meant to pay it.
    if (earlier !== undefined && review?.id !== earlier) {
      if (known?.state === 'running') return respond(ctx, bounty.id, earlier, known)
      throw await reviewEnded.error({ ...bounty, meant: earlier }, db)
    }
    if (bounty.status !== 'in_review' || review?.id !== (input.submission_id ?? review?.id))
      throw await notInReview.error(bounty, db)
    if (!review) throw new ServiceError('no_pending_submission')

    const attachedRequest = randomUUID()
    const submissionId = review.id
    const begin = async () => {
      await confirmHead(ctx, bounty, review, input.expected_head_sha)
      await beginApproval(ctx, review, { ...input, attachedRequest })
    }
    await orPostponeReview(ctx, submissionId, new Date(), begin())
    const outcome = await payouts.wait(submissionId, {
      attachedRequest,
      timeoutMs: Math.max(shortestWaitMs, config.APPROVE_WAIT_SECONDS * 1000 - (performance.now() - began)),
      signal: ctx.signal,
    })
    emitStep('answer ready', submissionId)
    ctx.log.info({ entityId: submissionId, state: outcome.state }, 'approval request ends with this outcome')
    return respond(ctx, bounty.id, submissionId, outcome)
  })
