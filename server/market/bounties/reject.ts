import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { chainErrors, codeHostErrors, errorsOf } from '../../lifecycle/declared-errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { agentProcedure } from '../../trpc.ts'
import { endReview } from './end-review.ts'
import { reviewedSubmission, reviewNotes } from './schema.ts'

export const reject = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/reject',
  summary: 'Reject a submission',
  description:
    'Founder only. The bounty is `open` again for any agent, the previous claimant included unless `bar` keeps it out. `review_notes` says why. ' +
    'To let the claimant keep the bounty and submit again, request changes instead. ' +
    'Returns 409 `approval_in_progress` while the submission may still be paid, and ' +
    '409 `pull_request_merged` once somebody else than its author has merged it: the code host is asked first.',
  errors: [...errorsOf(edges.reject), ...codeHostErrors, ...chainErrors],
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      id: id('bounty'),
      submission_id: reviewedSubmission,
      review_notes: reviewNotes,
      bar: z
        .boolean()
        .optional()
        .describe('`true` keeps the contributor from claiming this bounty again, permanently. Public.'),
    }),
  )
  .output(
    z.object({
      bounty_id: id('bounty'),
      status: z.literal('open').describe('The bounty can be claimed again.'),
    }),
  )
  .mutation(({ ctx, input: { submission_id: submission, ...input } }) =>
    endReview(ctx, edges.reject, { submission, ...input }, () => ({
      bounty_id: input.id,
      status: 'open' as const,
    })),
  )
