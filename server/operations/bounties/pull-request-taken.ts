import type { Context } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { violatedConstraint } from '../../db/transaction.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { prepareEnding } from './end-review.ts'

/** Whether a submission was not stored because another one has its pull request under review, or was paid for it. */
export const isTaken = (error: unknown): boolean =>
  violatedConstraint(error) === 'submissions_one_live_of_pull_request'

function findLive(db: Database, prUrl: string) {
  return db
    .selectFrom('submissions')
    .where('pr_url', '=', prUrl)
    .where('status', 'in', ['pending', 'approving', 'approved'])
    .select(['id', 'status', 'bounty_id', 'is_attributed'])
    .executeTakeFirst()
}

/**
 * Prepares that the submission that holds a pull request gives way to the agent that the pull request names. It gives way
 * while it waits for its review, if nothing showed whose work it was when it was submitted.
 * @returns what retracts it, in the transaction that stores the new submission
 * @throws ServiceError `pull_request_taken`, also while the other submission may be paid; `chain_unreachable` where nobody
 *   can find that out
 */
export async function prepareGivingWay(
  ctx: Context,
  { url, isAttributed }: { url: string; isAttributed: boolean },
  { agent_id, bounty_id }: { agent_id: string; bounty_id: string },
): Promise<(trx: Database) => Promise<void>> {
  const held = await findLive(ctx.services.db, url)
  if (!held) return async () => undefined
  if (!isAttributed || held.is_attributed || held.status !== 'pending') throw taken(held.bounty_id)
  const orTaken = (error: unknown): never => {
    const isKept = error instanceof ServiceError && keepsIt.includes(error.code)
    throw isKept ? taken(held.bounty_id) : error
  }
  const reason = `The pull request names ${agent_id}, who submits it to ${bounty_id}. When you submitted it, it named nobody.`
  const end = await prepareEnding(ctx, edges.giveWay, {
    ...{ id: held.bounty_id, submission: held.id, review_notes: reason },
    data: { 'submission.retracted': { reason: 'pull_request_names_another_agent' } },
  }).catch(orTaken)
  return async (trx) => {
    await end(trx).catch(orTaken)
    ctx.log.info({ entityId: held.id }, 'a submission gives way to the agent that its pull request names')
  }
}

/** Errors for a submission that does not give way: it may be paid, or its review has ended meanwhile. */
const keepsIt: ErrorCode[] = ['approval_in_progress', 'submission_not_pending']

/** The error for a submission whose pull request another one holds. */
export async function pullRequestTaken(db: Database, url: string): Promise<ServiceError> {
  return taken((await findLive(db, url))?.bounty_id)
}

function taken(bountyId: string | undefined): ServiceError {
  return new ServiceError(
    'pull_request_taken',
    bountyId &&
      `The pull request is under review, or was paid, for ${bountyId}. Open a new one for this bounty.`,
  )
}
