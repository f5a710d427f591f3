import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'

/** The rewards of a project's bounties that are claimed or in review, in whole tokens. */
export async function rewardsInWork(db: Database, projectId: string): Promise<bigint> {
  const { in_work } = await db
    .selectFrom('bounties')
    .where('project_id', '=', projectId)
    .where('status', 'in', ['claimed', 'in_review'])
    .select(sql<string>`coalesce(sum(reward_amount), 0)::text`.as('in_work'))
    .executeTakeFirstOrThrow()
  return BigInt(in_work)
}

/**
 * Locks a project and returns the whole tokens that it has committed: its bounties are stored one by one. A payout since
 * `known` was read has lowered what is committed and what the founder can spend, so the higher one counts.
 */
export async function lockCommitted(trx: Database, projectId: string, known: number): Promise<number> {
  const { committed } = await trx
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select('committed')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return Math.max(committed, known)
}
