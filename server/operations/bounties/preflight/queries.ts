import { sql } from 'kysely'
import type { Database } from '../../../db/client.ts'

/** A bounty with what decides its payment. */
export type BountyToClaim = Awaited<ReturnType<typeof findBountyToClaim>>

/**
 * A bounty with what decides its payment. `committed_before` are the whole tokens of all bounties that were claimed before
 * it and are not paid yet, as a decimal string; before one that is free that is all of them.
 */
export function findBountyToClaim(db: Database, id: string, isFree: boolean) {
  return db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .where('bounties.id', '=', id)
    .select(['bounties.id', 'bounties.status', 'bounties.reward_amount', 'projects.founder_id'])
    .select([
      'projects.token_address',
      'projects.curve_address',
      'projects.founder_wallet',
      'projects.repo_url',
    ])
    .select(
      sql<string>`(select coalesce(sum(other.reward_amount), 0) from bounties other
        where other.project_id = bounties.project_id and other.id <> bounties.id and other.status in ('claimed', 'in_review')
          and (${isFree} or other.claimed_at < bounties.claimed_at))`.as('committed_before'),
    )
    .executeTakeFirstOrThrow()
}
