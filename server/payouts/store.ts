import { sql } from 'kysely'
import type { Address, Hash, Hex } from 'viem'
import { recordActivity } from '../activity.ts'
import type { Database } from '../db/connect.ts'
import type { ErrorCode } from '../errors.ts'

/** A payout as the chain must show it. Amounts are in base units. */
export interface Payout {
  submissionId: string
  payoutId: Hex
  platformWallet: Address
  token: Address
  from: Address
  to: Address
  amount: bigint
  fee: bigint
  status: 'running' | 'failed' | 'settled' | 'needs_operator'
  transactionId: number | null
  txHash: Hash | null
  errorCode: ErrorCode | null
  error: string | null
}

/** The payouts of these submissions, as far as there are any. */
export async function findPayouts(db: Database, submissionIds: string[]): Promise<Payout[]> {
  const rows = await db
    .selectFrom('payouts')
    .selectAll()
    .where('submission_id', 'in', submissionIds)
    .execute()
  return rows.map((row) => ({
    submissionId: row.submission_id,
    payoutId: row.payout_id as Hex,
    platformWallet: row.platform_wallet as Address,
    token: row.token as Address,
    from: row.from_address as Address,
    to: row.to_address as Address,
    amount: BigInt(row.amount),
    fee: BigInt(row.fee),
    status: row.status as Payout['status'],
    transactionId: row.transaction_id,
    txHash: row.tx_hash as Hash | null,
    errorCode: row.error_code as ErrorCode | null,
    error: row.error,
  }))
}

/** The payout of one submission. @throws when there is none. */
export async function getPayout(db: Database, submissionId: string): Promise<Payout> {
  const [payout] = await findPayouts(db, [submissionId])
  if (!payout) throw new Error(`submission ${submissionId} has no payout`)
  return payout
}

/** Whether a transaction of this payout ever had a nonce: from then on its addresses and amounts are fixed for good. */
export async function wasEverSigned(trx: Database, submissionId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('transactions')
    .select('id')
    .where('purpose', '=', 'payout')
    .where('subject', '=', submissionId)
    .where('nonce', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores a new payout, or starts a failed one again under the same payout id. */
export async function startPayout(
  trx: Database,
  payout: Pick<
    Payout,
    'submissionId' | 'payoutId' | 'platformWallet' | 'token' | 'from' | 'to' | 'amount' | 'fee'
  > & {
    chainId: number
    transactionId: number
  },
): Promise<void> {
  const fixed = {
    platform_wallet: payout.platformWallet,
    token: payout.token,
    from_address: payout.from,
    to_address: payout.to,
    amount: payout.amount.toString(),
    fee: payout.fee.toString(),
    transaction_id: payout.transactionId,
  }
  await trx
    .insertInto('payouts')
    .values({
      submission_id: payout.submissionId,
      payout_id: payout.payoutId,
      chain_id: payout.chainId,
      ...fixed,
    })
    .onConflict((conflict) =>
      conflict.column('submission_id').doUpdateSet({
        ...fixed,
        status: 'running',
        round: sql`payouts.round + 1`,
        error_code: null,
        error: null,
        updated_at: sql`clock_timestamp()`,
      }),
    )
    .execute()
}

/**
 * The chain has paid: submission approved, bounty done, activity written, all in the caller's transaction. Settling
 * twice changes nothing. Where the payout had been reported failed and the review has moved on, a person is called.
 */
export async function settlePayout(trx: Database, submissionId: string, txHash: Hash): Promise<void> {
  const row = await lockReview(trx, submissionId)
  if (row.payout_status === 'settled') return
  if (row.payout_status === 'failed')
    await trx
      .updateTable('payouts')
      .set({ status: 'running', error_code: null })
      .where('submission_id', '=', submissionId)
      .execute()
  if (row.submission_status === 'rejected')
    return markStuck(
      trx,
      submissionId,
      `paid by ${txHash} after it had been reported failed and was rejected`,
    )
  if (row.submission_status === 'pending')
    await trx.updateTable('submissions').set({ status: 'approving' }).where('id', '=', submissionId).execute()
  await trx
    .updateTable('payouts')
    .set({
      status: 'settled',
      tx_hash: txHash,
      error: null,
      settled_at: sql`clock_timestamp()`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('submission_id', '=', submissionId)
    .execute()
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
}

/** The payout cannot be made as things are: the submission is pending again, and approving again starts anew. */
export async function failPayout(
  trx: Database,
  submissionId: string,
  failure: { transactionId: number; code: ErrorCode; message: string },
): Promise<void> {
  const row = await lockReview(trx, submissionId)
  // A verdict on an earlier transaction says nothing about the one that is running now.
  if (row.payout_status !== 'running' || row.transaction_id !== failure.transactionId) return
  await trx
    .updateTable('payouts')
    .set({
      status: 'failed',
      error_code: failure.code,
      error: failure.message,
      updated_at: sql`clock_timestamp()`,
    })
    .where('submission_id', '=', submissionId)
    .execute()
  await trx
    .updateTable('submissions')
    .set({ status: 'pending', review_notes: null })
    .where('id', '=', submissionId)
    .where('status', '=', 'approving')
    .execute()
}

/** A person must look; the payout is neither paid again nor reported failed meanwhile. */
export async function markStuck(trx: Database, submissionId: string, why: string): Promise<void> {
  await trx
    .updateTable('payouts')
    .set({ status: 'needs_operator', error: why, settled_at: null, updated_at: sql`clock_timestamp()` })
    .where('submission_id', '=', submissionId)
    .where('status', 'in', ['running', 'settled'])
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
    .forUpdate()
    .executeTakeFirstOrThrow()
  const row = await trx
    .selectFrom('submissions')
    .innerJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .where('submissions.id', '=', submissionId)
    .select([
      'submissions.status as submission_status',
      'submissions.agent_id',
      'payouts.status as payout_status',
      'payouts.transaction_id',
      'payouts.amount',
      'payouts.fee',
    ])
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { ...row, bounty_id, project_id: bounty.project_id }
}
