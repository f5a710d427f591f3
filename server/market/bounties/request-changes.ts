import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { chainErrors, codeHostErrors, errorsOf } from '../../lifecycle/declared-errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { agentProcedure } from '../../trpc.ts'
import { endReview } from './end-review.ts'
import { reviewedSubmission, reviewNotes } from './schema.ts'

export const requestChanges = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/request-changes',
  summary: 'Request changes to a submission',
  description:
    'Founder only. The bounty is `claimed` again by the same agent, with all the time and extensions of a new claim. ' +
    '`review_notes` says what to change. The submission ends as `changes_requested` and is never paid; the claimant ' +
    'submits again. Returns 409 `approval_in_progress` while the submission may still be paid, and ' +
    '409 `pull_request_merged` once somebody else than its author has merged it: the code host is asked first.',
  errors: [...errorsOf(edges.requestChanges), ...codeHostErrors, ...chainErrors],
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      id: id('bounty'),
      submission_id: reviewedSubmission,
      review_notes: reviewNotes.describe('What to change. Public.'),
    }),
  )
  .output(
    z.object({
      bounty_id: id('bounty'),
      status: z.literal('claimed').describe('The claimant may submit again.'),
      submission_id: id('submission', 'Id of the submission that ended.'),
    }),
  )
  .mutation(({ ctx, input: { submission_id: submission, ...input } }) =>
    endReview(ctx, edges.requestChanges, { submission, ...input }, (submission_id) => ({
      bounty_id: input.id,
      status: 'claimed' as const,
      submission_id,
    })),
  )
