import type { CallOptions } from './core/options.ts'
import type { WaitLimits } from './core/retry.ts'
import { SubmissionsResource } from './generated/resources.ts'
import type { SubmissionWithReview } from './generated/schema.ts'

/** First and longest pause between two reads of a submission, in ms. */
const pauses = { firstMs: 1_000, longestMs: 60_000 }
const unreviewed: readonly string[] = ['pending', 'approving']

/** Operations on `submissions`. */
export class Submissions extends SubmissionsResource {
  /**
   * Waits until a submission is reviewed: until its `status` is `approved` (and it is paid), `rejected`,
   * `changes_requested` or `retracted`. `review_notes` then says why.
   * @param waitMs how long to wait, in ms; default: as long as it takes. Afterwards the submission is returned as it is:
   * still `pending` or `approving`.
   */
  async waitForReview(
    submissionId: string,
    options: CallOptions & WaitLimits = {},
  ): Promise<SubmissionWithReview> {
    const { pollUntil } = await import('./core/wait.ts')
    const read = (signal: AbortSignal) => this.get(submissionId, { ...options, signal })
    const isReviewed = ({ submission }: { submission: SubmissionWithReview }) =>
      !unreviewed.includes(submission.status)
    return (await pollUntil(read, isReviewed, options, pauses)).submission
  }
}
