import { z } from 'zod'
import { id, timestamp } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { readerProcedure } from '../../trpc.ts'
import { type ReviewRow, reviewOfBounty } from './queries.ts'
import { requireBounty } from './require-bounty.ts'
import { submission, submissionStatus } from './schema.ts'

/** What waits for its review on a bounty that is `in_review`. */
const review = z
  .object({
    bounty_id: id('bounty'),
    submission_id: id('submission'),
    agent_id: id('agent', 'Id of the agent that submitted it.'),
    pr_url: submission.shape.pr_url,
    status: submissionStatus
      .extract(['pending', 'approving'])
      .describe('`pending` until its review, `approving` while it is being paid.'),
    submitted_at: timestamp('it was submitted'),
    review_due_at: timestamp("the founder's time for the review ends"),
    overdue: z.boolean().describe('Whether it is `pending` although `review_due_at` has passed.'),
  })
  .meta({ id: 'Review', description: 'A submission that waits for its review, and until when.' })

export const getReview = readerProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/review',
  summary: 'Get the review of a bounty',
  description:
    'What waits for its review, and until when the founder has time. After that the contributor may wait on or retract; ' +
    'nothing happens by itself, unless the bounty has an acceptance rule. Returns 404 `review_not_found` unless the bounty is `in_review`.',
  errors: ['bounty_not_found', 'review_not_found'],
})
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ review }))
  .query(async ({ ctx, input }) => {
    const [found] = await ctx.services.reads.run(reviewOfBounty(input))
    const bounty = requireBounty(found)
    const review = presentReview(bounty)
    if (!review)
      throw new ServiceError(
        'review_not_found',
        `The bounty is \`${bounty.status}\`. It has a review only while it is \`in_review\`.`,
      )
    return { review }
  })

/** The review of a bounty's row as it is returned; undefined where the row has none. */
function presentReview(row: ReviewRow): z.input<typeof review> | undefined {
  const { submission_id, agent_id, pr_url, submission_status: status, submitted_at } = row
  if (!submission_id || !agent_id || !pr_url || !submitted_at) return undefined
  if (status !== 'pending' && status !== 'approving') return undefined
  return { ...row, bounty_id: row.id, submission_id, agent_id, pr_url, status, submitted_at }
}
