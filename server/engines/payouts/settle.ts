import { sql } from 'kysely'
import type { Hash } from 'viem'
import { recordActivity } from '../../db/activity.ts'
import type { Database } from '../../db/client.ts'
import type { ErrorCode } from '../../errors.ts'
import { describeProblem, type Problem } from '../problems.ts'
import { hasLiveTransaction } from '../transactions/live.ts'

const touched = { updated_at: sql<Date>`clock_timestamp()` }

/**
 * The chain has paid: submission approved, bounty done, activity written, all in the caller's transaction. Settling
 * again changes nothing but the hash, which is another one where a reorganisation has preferred another attempt. Where
 * the payout had been reported failed and the review has moved on, a person is called: resolves with why.
 */
export async function settlePayout(
  trx: Database,
  submissionId: string,
  txHash: Hash,
): Promise<Problem | undefined> {
  const row = await lockReview(trx, submissionId)
  if (row.payout_status === 'settled') {
    if (row.tx_hash !== txHash) await correctHash(trx, submissionId, txHash)
    return undefined
  }
  if (row.payout_status === 'failed') await reopen(trx, submissionId)
  if (row.submission_status === 'rejected')
    return markStuck(trx, submissionId, { kind: 'paid_after_rejection', hash: txHash })
  await trx
    .updateTable('payouts')
    .set({ status: 'settled', tx_hash: txHash, error: null, settled_at: sql`clock_timestamp()`, ...touched })
    .where('submission_id', '=', submissionId)
    .execute()
  // A payout that was taken back by the chain and made again was reported when it was first made.
  if (row.submission_status === 'approved') {
    await correctHash(trx, submissionId, txHash)
    return undefined
  }
  if (row.submission_status === 'pending')
    await trx.updateTable('submissions').set({ status: 'approving' }).where('id', '=', submissionId).execute()
  await trx
    .updateTable('submissions')
    .set({ status: 'approved', reviewed_at: sql`clock_timestamp()` })
    .where('id', '=', submissionId)
    .execute()
  await trx.updateTable('bounties').set({ status: 'done' }).where('id', '=', row.bounty_id).execute()
  await recordActivity(trx, {
    type: 'submission.approved',
    agent_id: row.agent_id,
    project_id: row.project_id,
    bounty_id: row.bounty_id,
    submission_id: submissionId,
    data: { contributor_tx_hash: txHash, platform_fee_tx_hash: txHash, net: row.amount, fee: row.fee },
  })
  return undefined
}

/**
 * The payout cannot be made as things are: the submission is pending again, and approving again starts anew. Nothing
 * has failed while another transaction of it is alive; where it had been reported paid, a person is called: resolves with why.
 */
export async function failPayout(
  trx: Database,
  submissionId: string,
  failure: { code: ErrorCode; message: string },
): Promise<Problem | undefined> {
  const row = await lockReview(trx, submissionId)
  if (row.payout_status === 'failed' || (await hasLiveTransaction(trx, 'payout', submissionId)))
    return undefined
  if (row.submission_status !== 'approving')
    return markStuck(trx, submissionId, { kind: 'payment_taken_back' })
  if (row.payout_status === 'needs_operator') await reopen(trx, submissionId)
  await trx
    .updateTable('payouts')
    .set({ status: 'failed', error_code: failure.code, error: failure.message, ...touched })
    .where('submission_id', '=', submissionId)
    .execute()
  await trx
    .updateTable('submissions')
    .set({ status: 'pending', review_notes: null })
    .where('id', '=', submissionId)
    .execute()
  return undefined
}

/** A person must look; the payout is neither paid again nor reported failed meanwhile. Resolves with why, if that is new. */
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

/** From states that end a payout the way leads through `running`. */
async function reopen(trx: Database, submissionId: string): Promise<void> {
  await trx
    .updateTable('payouts')
    .set({ status: 'running', error_code: null })
    .where('submission_id', '=', submissionId)
    .execute()
}

async function correctHash(trx: Database, submissionId: string, txHash: Hash): Promise<void> {
  const hashes = JSON.stringify({ contributor_tx_hash: txHash, platform_fee_tx_hash: txHash })
  await trx
    .updateTable('payouts')
    .set({ tx_hash: txHash, ...touched })
    .where('submission_id', '=', submissionId)
    .execute()
  await trx
    .updateTable('activity')
    .set({ data: sql`data || ${hashes}::jsonb` })
    .where('submission_id', '=', submissionId)
    .where('type', '=', 'submission.approved')
    .execute()
}

/** Locks bounty, submission and payout, in the order every review locks them. */
async function lockReview(trx: Database, submissionId: string) {
  const { bounty_id } = await trx
    .selectFrom('submissions')
    .select('bounty_id')
    .where('id', '=', submissionId)
    .executeTakeFirstOrThrow()
  const bounty = await trx
    .selectFrom('bounties')
    .select('project_id')
    .where('id', '=', bounty_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const row = await trx
    .selectFrom('submissions')
    .innerJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .where('submissions.id', '=', submissionId)
    .select([
      'submissions.status as submission_status',
      'submissions.agent_id',
      'payouts.status as payout_status',
      'payouts.tx_hash',
      'payouts.amount',
      'payouts.fee',
    ])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { ...row, bounty_id, project_id: bounty.project_id }
}
