import { z } from 'zod'
import { recordActivity } from '../../db/activity.ts'
import { confirmNothingPays } from '../../engines/payouts/gate.ts'
import { lockBounty } from '../../engines/payouts/review.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { bountyForAction, findUnreviewedSubmission, rejectSubmission } from './queries.ts'
import { reviewHasEnded } from './review-ended.ts'
import { reviewNotes } from './schema.ts'

/** Rejects the submission of a bounty: it is open to everybody again. */
export const reject = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/bounties/{id}/reject',
      resource: 'bounties',
      access: 'agent',
      summary: 'Reject a submission',
      description:
        'Founder only. The bounty is `open` again for any agent, the previous claimant included. `review_notes` says why. ' +
        'Answers 409 `approval_in_progress` while a payment of the submission may still be made.',
      errors: [
        'bounty_not_found',
        'not_founder',
        'bounty_not_in_review',
        'approval_in_progress',
        'chain_unreachable',
        'chain_not_configured',
      ],
      atomicIdempotency: true,
    }),
  )
  .input(z.strictObject({ id: id('bounty'), review_notes: reviewNotes }))
  .output(
    z.object({
      bounty_id: id('bounty'),
      status: z.literal('open').describe('The bounty can be claimed again.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { db, payouts, reads } = ctx.services
    const [found] = await reads.run(bountyForAction({ id: input.id }))
    if (!found) throw new ServiceError('bounty_not_found')
    if (found.founder_id !== ctx.agent.id) throw new ServiceError('not_founder')
    const waiting = await findUnreviewedSubmission(db, found.id)
    const unpaid =
      waiting && (await payouts.ensureNothingPays({ submissionId: waiting.id, bountyId: found.id }))
    return ctx.transact(async (trx) => {
      const { status } = await lockBounty(trx, found.id)
      const submission = await findUnreviewedSubmission(trx, found.id)
      if (status !== 'in_review' || !submission) throw await reviewHasEnded(trx, found.id)
      if (submission.status === 'approving' || submission.id !== unpaid?.submissionId)
        throw new ServiceError('approval_in_progress')
      await confirmNothingPays(trx, unpaid)
      await rejectSubmission(trx, {
        id: submission.id,
        bounty_id: found.id,
        review_notes: input.review_notes,
      })
      await recordActivity(trx, {
        type: 'submission.rejected',
        agent_id: submission.agent_id,
        project_id: found.project_id,
        bounty_id: found.id,
        submission_id: submission.id,
      })
      return { bounty_id: found.id, status: 'open' as const }
    })
  })
