import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { reached } from '../../engines/events.ts'
import type { PayoutOutcome } from '../../engines/payouts/engine.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id, note, transactionHash } from '../fields.ts'
import { beginApproval } from './approve/begin.ts'
import { findBountyToApprove } from './approve/queries.ts'
import { reviewEndedError } from './review-ended-error.ts'
import { bountyStatus } from './schema.ts'

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
        "Moves the reward on chain from the founder's wallet to the contributor's, minus the platform fee, and the " +
        'fee to the treasury, both in one transaction and never twice for one bounty. Waits for the outcome. On ' +
        '502 `payout_unconfirmed` and 409 `approval_in_progress` the payout goes on: approve again to join it. After ' +
        '`payout_failed`, `insufficient_funds` and `payouts_disabled` nothing was paid and the submission is pending. ' +
        'After `bounty_not_in_review` the bounty itself says how the review has ended.',
      errors: [
        'bounty_not_found',
        'not_founder',
        'bounty_not_in_review',
        'no_pending_submission',
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
      // A reorganisation may have put another transaction in the place of the one that was told.
      rebuildsResponse: ['bounty_not_in_review'],
    }),
  )
  .input(
    z.strictObject({
      id: id('bounty'),
      review_notes: note.optional().describe('What the founder has to say about the submission.'),
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
    const bounty = await findBountyToApprove(db, input.id)
    if (!bounty) throw new ServiceError('bounty_not_found')
    if (bounty.founder_id !== ctx.agent.id) throw new ServiceError('not_founder')

    if (ctx.idempotent?.resume?.refused) throw await reviewEndedError(db, bounty.id)
    // A repeated request whose first answer was lost gets that answer, not "already done".
    const earlier = ctx.idempotent?.resume?.submission_id
    const known = earlier === undefined ? undefined : await payouts.outcome(earlier)
    if (earlier !== undefined && (known?.state === 'settled' || known?.state === 'stuck'))
      return answer(ctx, bounty.id, earlier, known)
    // The review has moved on since: what waits now, nobody asked this request to pay.
    if (earlier !== undefined && bounty.submission_id !== earlier) {
      if (known?.state === 'running') return answer(ctx, bounty.id, earlier, known)
      throw await reviewEndedError(db, bounty.id, earlier)
    }
    if (bounty.status !== 'in_review') throw await reviewEndedError(db, bounty.id)

    const waiter = randomUUID()
    const submissionId = await beginApproval(ctx, bounty, input.review_notes ?? null, waiter)
    reached('intent stored', submissionId)
    const outcome = await payouts.wait(submissionId, {
      waiter,
      timeoutMs: config.APPROVE_WAIT_SECONDS * 1000,
      signal: ctx.signal,
    })
    reached('answer ready', submissionId)
    ctx.log.info({ entityId: submissionId, state: outcome.state }, 'an approval is answered')
    return answer(ctx, bounty.id, submissionId, outcome)
  })

async function answer(ctx: Context, bountyId: string, submissionId: string, outcome: PayoutOutcome) {
  if (outcome.state === 'failed') throw new ServiceError(outcome.code, outcome.message)
  if (outcome.state !== 'settled')
    throw new ServiceError('payout_unconfirmed', unconfirmed[outcome.state] + (await standstill(ctx)))
  return {
    bounty_id: bountyId,
    status: 'done' as const,
    submission_id: submissionId,
    // One transaction moves both legs, so that there is never one without the other.
    contributor_tx_hash: outcome.txHash,
    platform_fee_tx_hash: outcome.txHash,
  }
}

/** A sentence about a chain that brings no blocks, on which a payout may wait for one; empty where it does, or is silent. */
async function standstill({ services }: Context): Promise<string> {
  const asked = services.chain.chain?.secondsSinceBlock().catch(() => 0) ?? 0
  const seconds = await Promise.race([asked, delay(standstillPatienceMs, 0, { ref: false })])
  return seconds > standstillSeconds
    ? ` The newest block of the chain is ${seconds} s old: the payout may be waiting for the next one.`
    : ''
}

/** Age of the newest block that is worth a word; chains with users make one every few seconds. */
const standstillSeconds = 60
/** Longest time that a response waits for a node to say so. */
const standstillPatienceMs = 1000

const unconfirmed = {
  running:
    'The payout is not confirmed yet and goes on. Approve again to join it; the submission can never be paid twice.',
  stuck:
    'The payout is neither confirmed nor known to have failed, and the operator has been called. ' +
    'Approve again later to join it; the submission can never be paid twice.',
}
