import { sql } from 'kysely'
import type { Database } from '../../../db/client.ts'
import type { AcceptanceRule } from '../../../lifecycle/acceptance.ts'
import type { Situation } from '../../../lifecycle/situation.ts'
import { countUpTo, mergedUnpaidOf, projectsCounted } from '../../merged-unpaid.ts'

/** A bounty with what decides its payment. */
export type BountyToClaim = Situation & Awaited<ReturnType<typeof findReward>>

/**
 * What decides whether a bounty would be paid. `committed_before` are the whole tokens of all bounties that were claimed before
 * it and are not paid yet, as a decimal string; before one that is free that is all of them.
 */
export function findReward(db: Database, id: string, isFree: boolean) {
  return db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .where('bounties.id', '=', id)
    .select(['bounties.acceptance', 'projects.wanted_repository', 'projects.default_branch'])
    .$narrowType<{ acceptance: AcceptanceRule | null }>()
    .select(
      sql<string>`(select coalesce(sum(other.reward_amount), 0) from bounties other
        where other.project_id = bounties.project_id and other.id <> bounties.id and other.status in ('claimed', 'in_review')
          and (${isFree} or other.claimed_at < bounties.claimed_at))`.as('committed_before'),
    )
    .select(
      countUpTo(sql`select from projects own join bounties b on b.project_id = own.id join ended_claims e on e.bounty_id = b.id
        where own.founder_id = projects.founder_id and e.ending = 'dismissed' and e.work_seen`).as(
        'dismissed_with_work_seen',
      ),
    )
    .select(
      mergedUnpaidOf(sql`(select id from projects own where own.founder_id = projects.founder_id
        order by created_at desc, id desc limit ${sql.lit(projectsCounted)})`).as('merged_unpaid'),
    )
    .executeTakeFirstOrThrow()
}
