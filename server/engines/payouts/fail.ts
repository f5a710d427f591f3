import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { ErrorCode } from '../../errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { moveAll } from '../../lifecycle/move.ts'
import { describeProblem, type Problem } from '../problems.ts'
import { hasLiveTransaction } from '../transactions/live.ts'
import { lockPayout } from './review.ts'

const touched = { updated_at: sql<Date>`clock_timestamp()` }

/**
 * The payout is not made: it fails, and its submission is pending again. Does nothing while another transaction of the
 * payout is alive. If the payout had been reported paid, an operator has to decide: returns the problem.
 */
export async function failPayout(
  trx: Database,
  submissionId: string,
  failure: { code: ErrorCode; message: string },
): Promise<Problem | undefined> {
  const payout = await lockPayout(trx, submissionId)
  if (payout.payout_status === 'failed' || (await hasLiveTransaction(trx, 'payout', submissionId)))
    return undefined
  if (payout.submission_status !== 'approving')
    return markStuck(trx, submissionId, { kind: 'payment_taken_back' })
  if (payout.payout_status === 'needs_operator') await reopenPayout(trx, submissionId)
  await trx
    .updateTable('payouts')
    .set({ status: 'failed', error_code: failure.code, error: failure.message, ...touched })
    .where('submission_id', '=', submissionId)
    .execute()
  await moveAll(trx, edges.fail, [payout])
  return undefined
}

/**
 * The payout waits for an operator; until then it is neither paid again nor reported failed. Returns the problem if it was not
 * waiting before.
 */
export async function markStuck(
  trx: Database,
  submissionId: string,
  problem: Problem,
): Promise<Problem | undefined> {
  const marked = await trx
    .updateTable('payouts')
    .set({ status: 'needs_operator', error: describeProblem(problem), settled_at: null, ...touched })
    .where('submission_id', '=', submissionId)
    .where('status', 'in', ['running', 'settled'])
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n ? problem : undefined
}

/** Makes an ended payout `running`, since the database allows the next states only from there. */
export async function reopenPayout(trx: Database, submissionId: string): Promise<void> {
  await trx
    .updateTable('payouts')
    .set({ status: 'running', error_code: null })
    .where('submission_id', '=', submissionId)
    .execute()
}
