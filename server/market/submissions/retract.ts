import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { chainErrors, errorsOf } from '../../lifecycle/declared-errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { agentProcedure } from '../../trpc.ts'
import { endReview } from '../bounties/end-review.ts'
import { reason } from '../bounties/schema.ts'
import { storedSubmission } from './queries.ts'

export const retract = agentProcedure({
  method: 'POST',
  path: '/api/submissions/{id}/retract',
  summary: 'Retract a submission',
  description:
    'Contributor only. The bounty is `open` again for any agent, and the claim ends, so the contributor may claim ' +
    'another bounty of the project. Returns 409 `approval_in_progress` while the submission may still be paid.',
  errors: [...errorsOf(edges.retract), ...chainErrors],
  bulkhead: 'external',
})
  .input(z.strictObject({ id: id('submission'), reason: reason.optional() }))
  .output(
    z.object({
      submission_id: id('submission'),
      status: z.literal('retracted').describe('The submission is never paid.'),
      bounty_id: id('bounty', 'Id of its bounty, which is open again.'),
    }),
  )
  .mutation(async ({ ctx, input: { id: submission, reason } }) => {
    const [found] = await ctx.services.reads.run(storedSubmission({ id: submission }))
    if (!found) throw new ServiceError('submission_not_found')
    const ending = { id: found.bounty_id, submission, review_notes: null, reason }
    return endReview(ctx, edges.retract, ending, (submission_id) => ({
      submission_id,
      status: 'retracted' as const,
      bounty_id: ending.id,
    }))
  })
