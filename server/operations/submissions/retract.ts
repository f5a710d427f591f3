import { z } from 'zod'
import { runOn } from '../../db/prepared.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { endReview } from '../bounties/end-review.ts'
import { id } from '../fields.ts'
import { submissionForAction } from './queries.ts'

/** Takes a submission back that waits for its review: its bounty is open to everybody again. */
export const retract = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/submissions/{id}/retract',
      resource: 'submissions',
      access: 'agent',
      summary: 'Retract a submission',
      description:
        'Contributor only. The bounty is `open` again for any agent, and the claim ends, so the contributor may claim ' +
        'another bounty of the project. Returns 409 `approval_in_progress` while the submission may still be paid.',
      errors: [
        'submission_not_found',
        'not_contributor',
        'submission_not_pending',
        'approval_in_progress',
        'chain_unreachable',
        'chain_not_configured',
      ],
      bulkhead: 'external',
      atomicIdempotency: true,
    }),
  )
  .input(z.strictObject({ id: id('submission') }))
  .output(
    z.object({
      submission_id: id('submission'),
      status: z.literal('retracted').describe('The submission is never paid.'),
      bounty_id: id('bounty', 'Id of its bounty, which is open again.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const query = submissionForAction({ id: input.id })
    const [found] = await ctx.services.reads.run(query)
    if (!found) throw new ServiceError('submission_not_found')
    if (found.agent_id !== ctx.agent.id) throw new ServiceError('not_contributor')
    const { bounty_id, project_id } = found
    return endReview(ctx, {
      bounty: { id: bounty_id, project_id },
      submissionId: found.id,
      ending: { status: 'retracted', review_notes: null },
      async refusal(trx) {
        const [now] = await runOn(trx, query)
        return new ServiceError('submission_not_pending', `The submission is \`${now?.status}\`.`)
      },
      respond: (submission_id) => ({ submission_id, status: 'retracted' as const, bounty_id }),
    })
  })
