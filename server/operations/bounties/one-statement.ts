import { type RawBuilder, sql } from 'kysely'
import { activityEntries } from '../../db/activity.ts'
import type { Database } from '../../db/client.ts'
import {
  claimExtensions,
  claimedAgainShare,
  claimHasLapsed,
  claimTime,
  mostGivenUp,
} from '../../db/deadlines.ts'
import { endedClaims } from '../../db/ended-claims.ts'
import { type IdempotentResponse, storeIdempotentResponse } from '../../db/idempotent-response.ts'
import { prepared } from '../../db/prepared.ts'
import type { BountyRow } from './schema.ts'

interface NewBounty extends Omit<BountyRow, 'status'>, Partial<IdempotentResponse> {
  agent_id: string
  activity_id: string
  /** Whole tokens that were committed when `spendable` was read. */
  committed: number
  /** Whole tokens that cover all bounties that are not done, as a decimal string. */
  spendable: string
}

/**
 * Stores a new bounty, which is `open`, its texts for keyword searches and its activity, if what the project has
 * committed leaves enough for the reward. Returns the committed tokens that decided it. A payout since `spendable` was
 * read has lowered both sums, so the higher one counts. Locks the project: bounties of one project are stored one by one.
 */
export const storeCoveredBounty = prepared((db, bounty: NewBounty) => {
  const { id, project_id, title, description, reward_amount, difficulty, created_at } = bounty
  const storing = db
    .with('project', (cte) =>
      cte
        .selectFrom('projects')
        .where('id', '=', project_id)
        .select(sql<number>`greatest(committed, ${bounty.committed}::bigint)`.as('committed'))
        .forNoKeyUpdate(),
    )
    .with('added', (cte) =>
      cte
        .insertInto('bounties')
        .columns(['id', 'project_id', 'title', 'description', 'reward_amount', 'difficulty', 'created_at'])
        .expression(sql`select ${id}, ${project_id}, ${title}, ${description}, ${reward_amount}::bigint, ${difficulty},
          ${created_at}::timestamptz from project where committed + ${reward_amount}::bigint <= ${bounty.spendable}::numeric`)
        .returning(['id', 'project_id', 'title', 'description', 'created_at']),
    )
    .with('searchable', (cte) =>
      cte
        .insertInto('bounty_texts')
        .columns(['id', 'created_at', 'title_folded', 'description_folded'])
        .expression(sql`select id, created_at, lower(title), lower(description) from added`),
    )
    .with('entry', () =>
      activityEntries(
        { type: 'bounty.created' },
        {
          id: sql.val(bounty.activity_id),
          agent_id: sql.val(bounty.agent_id),
          project_id: sql.ref('added.project_id'),
          bounty_id: sql.ref('added.id'),
        },
        sql`added`,
      ),
    )
  return storeIdempotentResponse(storing, 'added', bounty)
    .selectFrom('project')
    .select((project) => [
      'project.committed',
      project.exists(project.selectFrom('added').select('added.id')).as('is_added'),
    ])
})

interface NewClaim extends Partial<IdempotentResponse> {
  id: string
  agent_id: string
  activity_id: string
  /** Of the entry about a lapsed claim, if this one takes over. */
  lapse_id: string
  /** Of `claimHours`, as JSON. */
  hours: string
}

/**
 * How often the agent gave up the bounty of the row of `bounties` within the time of one claim: by a release, a lapse or a
 * retracted submission. Otherwise claiming it again and again would hold it for ever.
 */
export function givenUpLately(agentId: string, hours: string): RawBuilder<number> {
  const since = sql`now() - ${claimTime(hours)}`
  return sql`((select count(*) from ended_claims e where e.bounty_id = bounties.id and e.agent_id = ${agentId}
      and e.ended_at > ${since})
    + (select count(*) from submissions s where s.bounty_id = bounties.id and s.agent_id = ${agentId}
      and s.status = 'retracted' and s.reviewed_at > ${since}))::int`
}

const hasLapsedFor = (agentId: string) =>
  sql<boolean>`(bounties.claimed_by <> ${agentId} and ${claimHasLapsed})`

/** Whether the row of `bounties` is open, or was claimed by another agent whose claim has lapsed. */
export const isFreeFor = (agentId: string) =>
  sql<boolean>`(bounties.status = 'open' or ${hasLapsedFor(agentId)})`

/**
 * Gives a bounty that is open, or whose claim by another agent has lapsed, to `agent_id` and records the activity, unless
 * the agent founded its project. Returns no row if the bounty does not exist. It is one statement, so exactly one of
 * several claimants gets the bounty. Violates `bounties_one_active_claim` if the agent has another claim on the project.
 *
 * Only a lapsed claim is locked before the update. If the sweep opens the bounty meanwhile, `lapsed` is empty, the update
 * finds the bounty open, and no claim lapses twice.
 */
export const claimBounty = prepared((db, claim: NewClaim) =>
  storeIdempotentResponse(claiming(db, claim), 'claimed', claim)
    .selectFrom('found')
    .select(['found.status', 'found.claimed_by', 'found.has_lapsed', 'found.given_up'])
    .select((found) => [
      found('found.founder_id', '=', claim.agent_id).as('is_founder'),
      found.exists(found.selectFrom('claimed').select('claimed.id')).as('is_claimed'),
    ]),
)

/** The parts of {@link claimBounty} that read and write. */
function claiming(db: Database, claim: NewClaim) {
  const { id, agent_id, activity_id, lapse_id, hours } = claim
  const takenOver = endedClaims('lapsed', sql`claimed where former_claimant is not null`, sql.val(lapse_id))
  return db
    .with('found', (cte) =>
      cte
        .selectFrom('bounties')
        .innerJoin('projects', 'projects.id', 'bounties.project_id')
        .where('bounties.id', '=', id)
        .select(['bounties.id', 'bounties.status', 'bounties.claimed_by', 'projects.founder_id'])
        .select([claimHasLapsed.as('has_lapsed'), givenUpLately(agent_id, hours).as('given_up')]),
    )
    .with('lapsed', (cte) =>
      cte
        .selectFrom('bounties')
        .where('id', '=', id)
        .where(hasLapsedFor(agent_id))
        .select(['id', 'claimed_by', 'claimed_at'])
        .forNoKeyUpdate(),
    )
    .with('claimed', (cte) =>
      cte
        .updateTable('bounties')
        .from('found')
        .leftJoin('lapsed', 'lapsed.id', 'found.id')
        .set({
          status: 'claimed',
          claimed_by: agent_id,
          claimed_at: sql`clock_timestamp()`,
          spared_from: null,
        })
        .set({
          claim_expires_at: sql`now() + ${claimTime(hours)} * case found.given_up when 0 then 1 else ${sql.lit(claimedAgainShare)} end`,
          extensions_left: sql`case found.given_up when 0 then ${sql.lit(claimExtensions)} else 0 end`,
        })
        .whereRef('bounties.id', '=', 'found.id')
        .where(isFreeFor(agent_id))
        .where('found.founder_id', '!=', agent_id)
        .where('found.given_up', '<', sql.lit(mostGivenUp))
        .returning(['bounties.id', 'bounties.project_id'])
        .returning(['lapsed.claimed_by as former_claimant', 'lapsed.claimed_at as formerly_claimed_at']),
    )
    .with('ended', () => takenOver.rows)
    .with('lapse', () => takenOver.entries)
    .with('entry', () =>
      activityEntries(
        { type: 'bounty.claimed' },
        {
          id: sql.val(activity_id),
          agent_id: sql.val(agent_id),
          project_id: sql.ref('claimed.project_id'),
          bounty_id: sql.ref('claimed.id'),
        },
        // The join makes the entry about the lapse the earlier one.
        sql`claimed left join lapse on true`,
      ),
    )
}

interface NewSubmission
  extends Record<'id' | 'bounty_id' | 'agent_id' | 'pr_url' | 'activity_id' | 'head_sha', string> {
  review_days: number
  /** Whether the pull request is known to be the agent's. */
  is_attributed: boolean
  /** What the host reported about the pull request by its columns, as JSON. */
  pull: string
}

/**
 * What the host reported about the pull request of a new submission. If facts about it are stored, it is read again at
 * once instead, and the change announced.
 */
function trackPullRequest({ pr_url, pull }: NewSubmission): RawBuilder<object> {
  const columns =
    sql.raw(`state, draft, merged, merged_at, merge_commit_sha, head_sha, author_id, author_login, named_ids,
    additions, deletions, changed_files, mergeable, checks_state, failed_checks, etags`)
  return sql`(insert into pull_requests (url, project_id, number, due_at, ${columns})
    select ${pr_url}, submitted.project_id, substring(${pr_url} from '[0-9]+$')::integer,
      case when not merged then now() + interval '1 minute' end, ${columns} from submitted,
      lateral jsonb_populate_record(null::pull_requests, ${pull}::jsonb) facts
    on conflict (url) do update set due_at = case when not pull_requests.merged then now() end)`
}

/**
 * Stores a `pending` submission with the facts of its pull request, moves its bounty from `claimed` to `in_review` and
 * records the activity, if the bounty is claimed by `agent_id`. Returns the bounty's columns that decided it, and the submission if there is one. Locks the
 * bounty as `lockBounty` does.
 */
export const submitToClaimedBounty = prepared((db, submission: NewSubmission) => {
  const { id, bounty_id, agent_id, pr_url, activity_id, head_sha } = submission
  return db
    .with('locked', (cte) =>
      cte
        .selectFrom('bounties')
        .where('id', '=', bounty_id)
        .select(['id', 'status', 'claimed_by', 'project_id'])
        .forNoKeyUpdate(),
    )
    .with('submitted', (cte) =>
      cte
        .insertInto('submissions')
        .columns([
          ...(['id', 'bounty_id', 'project_id', 'agent_id', 'pr_url', 'head_sha'] as const),
          ...(['review_due_at', 'is_attributed'] as const),
        ])
        .expression(
          cte
            .selectFrom('locked')
            .where('locked.claimed_by', '=', agent_id)
            .where('locked.status', '=', 'claimed')
            .select([
              sql.val(id).as('id'),
              'locked.id as bounty_id',
              'locked.project_id',
              sql.val(agent_id).as('agent_id'),
              sql.val(pr_url).as('pr_url'),
              sql.val(head_sha).as('head_sha'),
              sql<Date>`now() + make_interval(days => ${submission.review_days}::int)`.as('review_due_at'),
              sql<boolean>`${submission.is_attributed}::boolean`.as('is_attributed'),
            ]),
        )
        .returning(['id', 'bounty_id', 'project_id', 'status', 'created_at']),
    )
    .with('tracked', () => trackPullRequest(submission))
    .with('moved', (cte) =>
      cte
        .updateTable('bounties')
        .from('submitted')
        .set({ status: 'in_review', claim_expires_at: null, extensions_left: null })
        .whereRef('bounties.id', '=', 'submitted.bounty_id'),
    )
    .with('entry', () =>
      activityEntries(
        { type: 'submission.created' },
        {
          id: sql.val(activity_id),
          agent_id: sql.val(agent_id),
          project_id: sql.ref('locked.project_id'),
          bounty_id: sql.ref('submitted.bounty_id'),
          submission_id: sql.ref('submitted.id'),
        },
        sql`submitted, locked`,
      ),
    )
    .selectFrom('locked')
    .leftJoin('submitted', 'submitted.bounty_id', 'locked.id')
    .select(['locked.status', 'locked.claimed_by', 'submitted.status as submitted', 'submitted.created_at'])
})
