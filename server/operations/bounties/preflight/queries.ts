import { sql } from 'kysely'
import type { Database } from '../../../db/client.ts'
import { givenUpLately, isFreeFor } from '../one-statement.ts'

/** A bounty with what decides a claim of an agent and its payment. */
export type BountyToClaim = NonNullable<Awaited<ReturnType<typeof findBountyToClaim>>>

/**
 * A bounty with what decides a claim of `agent_id` and its payment. `committed_before` are the whole tokens of all bounties
 * that were claimed before it and are not paid yet, as a decimal string; before an unclaimed one that is all of them.
 * @param hours of `claimHours`, as JSON
 */
export function findBountyToClaim(db: Database, id: string, agent_id: string, hours: string) {
  const isFree = isFreeFor(agent_id)
  const others = sql`bounties as other where other.project_id = bounties.project_id and other.id <> bounties.id
    and other.status in ('claimed', 'in_review')`
  return db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .where('bounties.id', '=', id)
    .select(['bounties.id', 'bounties.status', 'bounties.difficulty', 'bounties.reward_amount'])
    .select(['projects.token_address', 'projects.curve_address', 'projects.founder_wallet'])
    .select(['projects.repo_url', 'projects.founder_id'])
    .select([
      isFree.as('is_free'),
      givenUpLately(agent_id, hours).as('given_up'),
      sql<boolean>`exists (select from ${others} and other.claimed_by = ${agent_id})`.as('holds_another'),
      sql<string>`(select coalesce(sum(other.reward_amount), 0) from ${others}
        and (${isFree} or other.claimed_at < bounties.claimed_at))`.as('committed_before'),
    ])
    .executeTakeFirst()
}
