import { type RawBuilder, sql } from 'kysely'
import { newestFirst } from '../../../api/page.ts'
import type { Submissions } from '../../../db/generated/tables.ts'
import { prepared } from '../../../db/prepared.ts'
import { reviewIsOverdue } from '../../../lifecycle/deadlines.ts'
import { standingOf } from '../../../lifecycle/standing.ts'
import { countUpTo, mergedUnpaidOf, mostCounted, projectsCounted } from '../../merged-unpaid.ts'

/** How many projects a record names. */
export const projectsNamed = 20
/** How many reviews the median is of. */
const reviewsMeasured = 50

type Status = 'pending' | 'approving' | 'approved' | 'rejected' | 'changes_requested' | 'retracted'

/**
 * The number of `rows` over all projects that the agent founded, at most {@link mostCounted}. `rows` are those of the
 * project `founded`. Their own limit makes Postgres read each project's by an index.
 */
function countedOfFounded(rows: RawBuilder<unknown>): RawBuilder<number> {
  return countUpTo(sql`select from founded cross join lateral (${rows} limit ${sql.lit(mostCounted)}) found`)
}

const postedBounties = sql`select from bounties where project_id = founded.id`

/** Submissions to the project `founded`. */
const handedIn = (status: Status) =>
  sql`select from submissions where project_id = founded.id and status = ${sql.lit(status)}`

/** Those to which a rule was applied. */
const ofRules = sql`select from submissions where project_id = founded.id and acceptance_seen is not null`

const oldestWaiting = sql<Date | null>`(select min(oldest.created_at) from founded cross join lateral (
  select created_at from submissions where project_id = founded.id and status = 'pending'
  order by created_at, id limit 1) oldest)`

/** When the latest submissions that the agent has reviewed were made and reviewed. */
const latestReviews = sql<Pick<Submissions, 'created_at' | 'reviewed_at'>>`(
  select latest.* from founded
    cross join unnest(array['approved', 'rejected', 'changes_requested']) as reviewed (status)
    cross join lateral (
      select created_at, id, reviewed_at from submissions
      where project_id = founded.id and status = reviewed.status
      order by created_at desc, id desc limit ${sql.lit(reviewsMeasured)}) latest
  order by latest.created_at desc, latest.id desc limit ${sql.lit(reviewsMeasured)})`

/** What an agent was paid in the tokens of one project. */
export interface Earned {
  project_id: string
  token_symbol: string
  /** Base units. */
  amount: string
  /** Number of payments. */
  n: number
}

/** The largest sums that an agent was paid, by project, largest first. */
const earnedBy = (agentId: string) => sql<Earned[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('project_id', project_id, 'amount', sum::text, 'n', n,
      'token_symbol', (select token_symbol from projects where id = project_id)) order by sum desc, project_id), '[]')
    from (select project_id, sum(amount) as sum, count(*) as n
        from (select project_id, amount, status from payouts where agent_id = ${agentId} limit ${sql.lit(mostCounted)}) paid
        where status = 'settled' group by project_id
        order by sum(amount) desc, project_id limit ${sql.lit(projectsNamed)}) largest)`

/** The facts of an agent's record; no row if there is no such agent. An index alone gives each count. */
export const recordOf = prepared((db, { id }: { id: string }) => {
  const own = (status: Status) =>
    countUpTo(sql`select from submissions where agent_id = ${id} and status = ${sql.lit(status)}`)
  const ended = (ending: 'released' | 'lapsed' | 'dismissed') =>
    countUpTo(sql`select from ended_claims where agent_id = ${id} and ending = ${sql.lit(ending)}`)
  return db
    .with('founded', (cte) =>
      newestFirst(cte.selectFrom('projects').where('founder_id', '=', id).select('id')).limit(
        sql.lit(projectsCounted),
      ),
    )
    .with('reviews', (cte) =>
      cte
        .selectFrom(latestReviews.as('latest'))
        .select(sql<number>`greatest(0, extract(epoch from reviewed_at - created_at))::float8`.as('seconds')),
    )
    .selectFrom('agents')
    .where('id', '=', id)
    .select(['id', 'name', 'created_at'])
    .select([
      own('pending').as('pending'),
      own('approving').as('approving'),
      own('approved').as('approved'),
      standingOf(id).as('standing'),
      own('rejected').as('rejected'),
      own('changes_requested').as('changes_requested'),
      own('retracted').as('retracted'),
      ended('released').as('released'),
      ended('lapsed').as('lapsed'),
      ended('dismissed').as('dismissed'),
      countUpTo(sql`select from bounties where claimed_by = ${id} and status in ('claimed', 'in_review')`).as(
        'active',
      ),
      earnedBy(id).as('earned'),
    ])
    .select([
      countUpTo(sql`select from projects where founder_id = ${id}`).as('projects'),
      countedOfFounded(postedBounties).as('bounties'),
      countedOfFounded(sql`${postedBounties} and status = 'cancelled'`).as('cancelled'),
      countedOfFounded(sql`select from bounties b join ended_claims e on e.bounty_id = b.id
        where b.project_id = founded.id and e.ending = 'dismissed'`).as('dismissals'),
      countedOfFounded(handedIn('approved')).as('approvals'),
      countedOfFounded(handedIn('rejected')).as('rejections'),
      countedOfFounded(sql`${ofRules} and status = 'rejected' and accepts_at is not null`).as(
        'rejected_green',
      ),
      countedOfFounded(sql`${ofRules} and (acceptance_seen ->> 'isHeldUp')::boolean`).as('held_up'),
      countedOfFounded(handedIn('changes_requested')).as('sent_back'),
      countedOfFounded(sql`${handedIn('retracted')} and overdue_at is not null`).as('given_up'),
      countedOfFounded(handedIn('pending')).as('waiting'),
      countedOfFounded(sql`${handedIn('pending')} and ${reviewIsOverdue}`).as('overdue'),
      mergedUnpaidOf(sql`founded`).as('merged_unpaid'),
      oldestWaiting.as('oldest_submitted_at'),
      sql<number | null>`(select percentile_cont(0.5) within group (order by seconds) from reviews)`.as(
        'review_seconds',
      ),
      sql<number>`(select count(*)::int from reviews)`.as('reviews'),
    ])
})

/** A row of {@link recordOf}. */
export type RecordRow = NonNullable<ReturnType<typeof recordOf>['row']>
