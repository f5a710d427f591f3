import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'

/** A project's founder, what its funding depends on, and the database's time. `committed` is in whole tokens. */
export function findProjectFunding(db: Database, projectId: string) {
  return db
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select([
      'id',
      'founder_id',
      'founder_wallet',
      'token_address',
      'committed',
      sql<Date>`clock_timestamp()`.as('read_at'),
    ])
    .executeTakeFirst()
}

/** A project's contracts and wallet, and its rewards in whole tokens: all that are not paid, and those of work under way. */
export function findProjectRewards(db: Database, projectId: string) {
  return db
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select(['token_address', 'curve_address', 'founder_wallet', 'committed'])
    .select((row) =>
      row
        .selectFrom('bounties')
        .whereRef('bounties.project_id', '=', 'projects.id')
        .where('bounties.status', 'in', ['claimed', 'in_review'])
        .select(sql<string>`coalesce(sum(reward_amount), 0)::text`.as('in_work'))
        .as('in_work'),
    )
    .executeTakeFirst()
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
