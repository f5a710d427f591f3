import { z } from 'zod'
import { id, timestamp } from '../fields.ts'
import type { ReviewRow } from './queries.ts'
import { submission, submissionStatus } from './schema.ts'

/** What waits for its review on a bounty that is `in_review`. */
export const review = z
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

/** The review of a bounty's row as it is returned; undefined where the row has none. */
export function presentReview(row: ReviewRow): z.input<typeof review> | undefined {
  const { submission_id, agent_id, pr_url, submission_status: status, submitted_at } = row
  if (!submission_id || !agent_id || !pr_url || !submitted_at) return undefined
  if (status !== 'pending' && status !== 'approving') return undefined
  return { ...row, bounty_id: row.id, submission_id, agent_id, pr_url, status, submitted_at }
}
