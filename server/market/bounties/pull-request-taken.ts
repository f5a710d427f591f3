import type { Database } from '../../db/client.ts'
import { violatedConstraint } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'

/** Whether a submission was not stored because another one has its pull request under review, or was paid for it. */
export const isTaken = (error: unknown): boolean =>
  violatedConstraint(error) === 'submissions_one_live_of_pull_request'

/** The error for a submission whose pull request another one holds. */
export async function pullRequestTaken(db: Database, url: string): Promise<ServiceError> {
  const held = await db
    .selectFrom('submissions')
    .where('pr_url', '=', url)
    .where('status', 'in', ['pending', 'approving', 'approved'])
    .select('bounty_id')
    .executeTakeFirst()
  return new ServiceError(
    'pull_request_taken',
    held &&
      `The pull request is under review, or was paid, for ${held.bounty_id}. Open a new one, from a branch that names you and this bounty.`,
  )
}
