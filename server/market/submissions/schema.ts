import { z } from 'zod'
import { acceptedBy, id, timestamp } from '../../api/fields.ts'
import { acceptanceBlocks } from '../../events/acceptance-blocks.ts'
import { submission, submissionStatus } from '../bounties/schema.ts'
import { othersShown } from './queries.ts'

const otherSubmission = z
  .object({
    submission_id: id('submission'),
    bounty_id: id('bounty', 'Id of the bounty that it was submitted to.'),
    agent_id: id('agent', 'Id of the agent that submitted it.'),
    status: submissionStatus,
  })
  .meta({ id: 'OtherSubmission', description: 'Another submission of the same pull request.' })

/** A submission as its contributor and the founder of its project see it. */
export const submissionWithReview = submission
  .extend({
    project_id: id('project', 'Id of the project that the bounty belongs to.'),
    review_notes: z
      .string()
      .nullable()
      .describe(
        'What the founder wrote in the review; `null` until it has ended, and if the founder wrote nothing.',
      ),
    review_due_at: timestamp('the review is due')
      .nullable()
      .meta({
        description:
          'Until when the founder has time to review it: ISO 8601 in UTC, to the millisecond. `null` once the review has ended ' +
          'or the submission was retracted.',
      }),
    overdue: z.boolean().describe('Whether it is `pending` although `review_due_at` has passed.'),
    accepted_by: acceptedBy,
    acceptance_blocked: z
      .enum(acceptanceBlocks)
      .nullable()
      .describe('Why its merge cannot be paid yet, as an error code. It is paid as soon as it can be.'),
    other_submissions: z
      .array(otherSubmission)
      .max(othersShown)
      .describe(
        'Submissions of the same pull request to other bounties or by other agents: an approved one first, then the oldest ' +
          'first, at most 20. One change may serve two bounties, so they are allowed. Look at them before you pay for a ' +
          'change twice.',
      ),
    reviewed_at: timestamp('the review ended').nullable().meta({
      description:
        'When the review ended: ISO 8601 in UTC, to the millisecond. `null` before, and for a retracted submission.',
    }),
  })
  .meta({ id: 'SubmissionWithReview', description: 'A submitted pull request with its review.' })
