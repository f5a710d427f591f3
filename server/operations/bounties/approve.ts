import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { emitStep } from '../../engines/events.ts'
import type { PayoutOutcome } from '../../engines/payouts/engine.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { freeText, id, transactionHash } from '../fields.ts'
import { requireFounder } from '../require-founder.ts'
import { beginApproval } from './approve/begin.ts'
import { findBountyToApprove } from './approve/queries.ts'
import { notInReview, reviewEndedError } from './review-ended-error.ts'
import { bountyStatus, reviewedSubmission } from './schema.ts'

/** Approves a submission and pays it. */
export const approve = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/bounties/{id}/approve',
      resource: 'bounties',
      access: 'agent',
      summary: 'Approve the submission and pay the reward',
      description:
        "Founder only. Moves the reward on chain from the founder's wallet to the contributor's, minus the platform fee, " +
        'and the fee to the treasury, both in one transaction and never twice for one bounty. Waits for the outcome. On ' +
        '502 `payout_unconfirmed` and 409 `approval_in_progress` the payout goes on: approve again to join it. After ' +
        '`payout_failed`, `insufficient_funds` and `payouts_disabled` nothing was paid and the submission is pending. ' +
        'The message of `bounty_not_in_review` says how the review ended. Name the submission that you have looked at in ' +
        '`submission_id`: its contributor may retract it, and another one may be in review by now.',
      errors: [
        'bounty_not_found',
        'not_founder',
        'bounty_not_in_review',
        'no_pending_submission',
        'submission_changed',
        'contributor_wallet_missing',
        'contributor_wallet_is_founders',
        'insufficient_funds',
        'approval_in_progress',
        'payout_failed',
        'payout_unconfirmed',
        'chain_unreachable',
        'payouts_disabled',
        'chain_not_configured',
      ],
      bulkhead: 'outcome',
      clientTimeoutSeconds: 100,
      // A reorg may have replaced the transaction of the stored response.
      rebuildsResponse: ['bounty_not_in_review'],
    }),
  )
  .input(
    z.strictObject({
      id: id('bounty'),
      submission_id: reviewedSubmission,
      review_notes: freeText.optional().describe('Comment of the founder on the submission.'),
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
    const found = await findBountyToApprove(db, input.id)
    const bounty = requireFounder('bounty', found, ctx.agent.id)

    if (ctx.idempotent?.resume?.refused) throw await reviewEndedError(db, bounty.id)
    // A repeated request whose first response was lost gets that response, not "already done".
    const earlier = ctx.idempotent?.resume?.submission_id
    const known = earlier === undefined ? undefined : await payouts.outcome(earlier)
    if (earlier !== undefined && (known?.state === 'settled' || known?.state === 'stuck'))
      return respond(ctx, bounty.id, earlier, known)
    // Another submission may be in review by now. This request was not meant to pay it.
    if (earlier !== undefined && bounty.submission_id !== earlier) {
      if (known?.state === 'running') return respond(ctx, bounty.id, earlier, known)
      throw await reviewEndedError(db, bounty.id, earlier)
    }
    if (
      bounty.status !== 'in_review' ||
      bounty.submission_id !== (input.submission_id ?? bounty.submission_id)
    )
      throw await notInReview(db, bounty.id, input.submission_id)

    const attachedRequest = randomUUID()
    const submissionId = await beginApproval(ctx, bounty, input.review_notes ?? null, attachedRequest)
    emitStep('intent stored', submissionId)
    const outcome = await payouts.wait(submissionId, {
      attachedRequest,
      timeoutMs: config.APPROVE_WAIT_SECONDS * 1000,
      signal: ctx.signal,
    })
    emitStep('answer ready', submissionId)
    ctx.log.info({ entityId: submissionId, state: outcome.state }, 'approval request ends with this outcome')
    return respond(ctx, bounty.id, submissionId, outcome)
  })

async function respond(ctx: Context, bountyId: string, submissionId: string, outcome: PayoutOutcome) {
  if (outcome.state === 'failed') throw new ServiceError(outcome.code, outcome.message)
  if (outcome.state !== 'settled')
    throw new ServiceError('payout_unconfirmed', unconfirmed[outcome.state] + (await noteOnStalledChain(ctx)))
  return {
    bounty_id: bountyId,
    status: 'done' as const,
    submission_id: submissionId,
    // One transaction makes both transfers, so there is never one without the other.
    contributor_tx_hash: outcome.txHash,
    platform_fee_tx_hash: outcome.txHash,
  }
}

/** A sentence for the message if the chain makes no new blocks; else empty, also if the node does not reply in time. */
async function noteOnStalledChain({ services }: Context): Promise<string> {
  const age = services.chain.chain?.secondsSinceBlock().catch(() => 0) ?? 0
  const seconds = await Promise.race([age, delay(nodeTimeoutMs, 0, { ref: false })])
  return seconds > stalledSeconds
    ? ` The newest block of the chain is ${seconds} s old: the payout may be waiting for the next one.`
    : ''
}

/** A newest block older than this is mentioned; chains in use make one every few seconds. */
const stalledSeconds = 60
/** Longest time a response waits for the node's reply. */
const nodeTimeoutMs = 1000

const unconfirmed = {
  running:
    'The payout is not confirmed yet and goes on. Approve again to join it. The submission can never be paid twice.',
  stuck:
    'The payout is neither confirmed nor known to have failed, and the operator has been notified. ' +
    'Approve again later to join it. The submission can never be paid twice.',
}
