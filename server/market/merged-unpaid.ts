import { type RawBuilder, sql } from 'kysely'
import { reviewIsOverdue } from '../lifecycle/deadlines.ts'
import { hostSecondMs } from '../lifecycle/pull-requests/attribution.ts'
import { claimsEnded } from '../lifecycle/pull-requests/seen-pulls.ts'

/** Counts of a record end here, so that the record of a busy agent costs no more. */
export const mostCounted = 10_000
/** A founder's record covers this many of its newest projects. */
export const projectsCounted = 500

/** The number of `rows`, at most {@link mostCounted}. */
export function countUpTo(rows: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select count(*)::int from (${rows} limit ${sql.lit(mostCounted)}) counted)`
}

/**
 * The number of pull requests of the projects `founded` that were merged although nobody was paid for them, after a submission or after
 * the claim had ended against its agent's will.
 */
export const mergedUnpaidOf = (founded: RawBuilder<unknown>) =>
  sql<number>`(${submittedOf(founded)} + ${unsubmittedOf(founded)})`

/**
 * Those of which no submission was paid, or may still be within its time. As for an acceptance, its author has not merged it, it came by
 * itself, and it is known to be the work of the agent that submitted it.
 */
const submittedOf = (founded: RawBuilder<unknown>) =>
  countUpTo(sql`select from (
    select merged.* from ${founded} founded cross join lateral (
      select url, merged_at from pull_requests where project_id = founded.id and merged
        and merged_by_itself and (merged_by_id in (author_id, fork_owner_id)) is not true limit ${sql.lit(mostCounted)}) merged
    limit ${sql.lit(mostCounted)}) merged
  where (
    select bool_or(status <> 'retracted' and is_attributed
        and merged_at > merge_counts_from - make_interval(secs => ${sql.lit(hostSecondMs / 1000)}))
      and not bool_or(status in ('approved', 'approving') or (status = 'pending' and not ${reviewIsOverdue}))
    from submissions where pr_url = url)`)

/**
 * Those that were seen to be work of a claim, and were merged after the claim had ended against its agent's will, without having been
 * submitted; their agent was not paid for another one.
 */
const unsubmittedOf = (founded: RawBuilder<unknown>) =>
  countUpTo(sql`select from ${founded} founded
    join projects j on j.id = founded.id
    join bounties b on b.project_id = j.id
    join seen_pulls p on p.bounty_id = b.id
  where p.look_at is null and exists (select from ${claimsEnded} ended where ended_at <= p.merged_at)
    and not exists (
      select from submissions s where s.bounty_id = b.id and s.agent_id = p.agent_id
        and (s.status in ('approving', 'approved')
          or s.status <> 'retracted' and s.pr_url = j.repo_url || '/pull/' || p.number))`)
