import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'

/** A payout as it is stored, with the place of its payment if the follower has read it. Amounts are in base units. */
export type PayoutRow = Awaited<ReturnType<ReturnType<typeof receipts>['execute']>>[number]

function receipts(db: Database) {
  return db
    .selectFrom('payouts as p')
    .innerJoin('submissions as s', 's.id', 'p.submission_id')
    .innerJoin('bounties as b', 'b.id', 's.bounty_id')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('payments')
          .whereRef('payments.payout_id', '=', 'p.payout_id')
          .whereRef('payments.tx_hash', '=', 'p.tx_hash')
          .select(['block_number', 'log_index'])
          .limit(1)
          .as('seen'),
      (join) => join.onTrue(),
    )
    .select(['p.submission_id', 's.bounty_id', 'b.project_id', 's.agent_id', 'p.payout_id', 'p.status'])
    .select(['p.amount', 'p.fee', 'p.token', 'p.from_address', 'p.to_address', 'p.tx_hash', 'p.settled_at'])
    .select(['p.worth_wei', 'p.is_backed', 'p.dollars', 'p.dollar_fee'])
    .leftJoin('transactions as t', (join) =>
      join.onRef('t.id', '=', 'p.transaction_id').onRef('t.mined_hash', '=', 'p.tx_hash'),
    )
    .select([
      sql<number | null>`coalesce(seen.block_number, t.block_number)`.as('block_number'),
      'seen.log_index',
    ])
}

/** The payout of a submission. */
export function findPayout(db: Database, submissionId: string): Promise<PayoutRow | undefined> {
  return receipts(db).where('p.submission_id', '=', submissionId).executeTakeFirst()
}

/** Whether there is a submission with this id. */
export async function isSubmission(db: Database, id: string): Promise<boolean> {
  const found = await db.selectFrom('submissions').where('id', '=', id).select('id').executeTakeFirst()
  return found !== undefined
}

/** Which payouts to list. */
export interface PayoutFilter {
  project_id?: string | undefined
  agent_id?: string | undefined
  status?: PayoutRow['status'] | undefined
  /** Only payouts older than that of this submission. */
  before?: string | undefined
  limit: number
}

/** Payouts, newest first. */
export function newestPayouts(db: Database, filter: PayoutFilter): Promise<PayoutRow[]> {
  const { project_id, agent_id, status, before, limit } = filter
  let query = receipts(db)
  if (project_id !== undefined) query = query.where('p.project_id', '=', project_id)
  if (agent_id !== undefined) query = query.where('p.agent_id', '=', agent_id)
  // Literal, so that the planner sees that the index of those that are not settled holds them all.
  if (status !== undefined) query = query.where('p.status', '=', sql.lit(status))
  if (before !== undefined)
    query = query.where(
      sql<boolean>`(p.created_at, p.submission_id) <
        ((select created_at from payouts where submission_id = ${before}), ${before})`,
    )
  return query.orderBy('p.created_at', 'desc').orderBy('p.submission_id', 'desc').limit(limit).execute()
}
