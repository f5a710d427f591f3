import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Database } from '../../db/client.ts'
import { claimExtensions, claimTime, openAgain, reviewDueAt, reviewIsOverdue } from '../../db/deadlines.ts'
import type { DB } from '../../db/generated/tables.ts'
import { prepared } from '../../db/prepared.ts'
import { rowVersion } from '../../db/reads/versions.ts'
import type { UnpaidEnding } from '../../engines/payouts/review.ts'
import { newestFirst, pages, usualLimit } from '../page.ts'
import type { BountyRow } from './schema.ts'

/** What everybody may see of a bounty. */
export const bountyColumns = [
  'id',
  'project_id',
  'title',
  'description',
  'reward_amount',
  'difficulty',
  'status',
  'created_at',
] as const

/** Lists hold no cancelled bounty. */
type Listed = Pick<BountyRow, 'status'>

/** One bounty as everybody may see it, cancelled or not, with everything ever submitted to it, newest first. */
export const bountyWithSubmissions = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('bounties')
    .where('id', '=', id)
    .select((bounty) => [
      ...bountyColumns,
      jsonArrayFrom(
        bounty
          .selectFrom('submissions')
          .whereRef('submissions.bounty_id', '=', 'bounties.id')
          .select(['submissions.id', 'pr_url', 'submissions.status', 'submissions.created_at'])
          .orderBy('submissions.created_at', 'desc')
          .orderBy('submissions.id', 'desc'),
      ).as('submissions'),
    ]),
)

/** The versions of {@link bountyWithSubmissions}. */
export const bountyVersions = prepared((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('bounties')
    .where('id', '=', sql<string>`any(${ids})`)
    .select((bounty) => [
      'id',
      sql<string>`concat(${rowVersion}, ${bounty
        .selectFrom('submissions')
        .whereRef('submissions.bounty_id', '=', 'bounties.id')
        .select(sql`string_agg(${rowVersion}, '' order by submissions.id)`.as('versions'))})`.as('version'),
    ]),
)

/** What bounties to list. */
export interface BountyFilter {
  status?: BountyRow['status']
  project_id?: string
  difficulty?: BountyRow['difficulty']
  limit: number
  offset: number
}

function list(db: Database, filter: Partial<BountyFilter>) {
  return pageOf(db.selectFrom('bounties').select(bountyColumns), filter).$narrowType<Listed>()
}

function deepList(db: Database, filter: Partial<BountyFilter>) {
  return bountiesOf(db, pageOf(db.selectFrom('bounties').select('id'), filter).$asScalar())
}

/** The bounties with these ids, newest first. */
export function bountiesOf(db: Database, ids: Expression<string>) {
  return newestFirst(
    db.selectFrom('bounties').select(bountyColumns).where('id', 'in', ids).$narrowType<Listed>(),
  )
}

/** Bounties, newest first. */
export const listBounties = pages<BountyFilter, BountyRow>(list, deepList)

function pageOf<Row>(rows: SelectQueryBuilder<DB, 'bounties', Row>, filter: Partial<BountyFilter>) {
  return newestFirst(narrow(rows, filter))
    .limit(filter.limit ?? usualLimit)
    .offset(filter.offset ?? sql.lit(0))
}

/** Leaves out what `filter` does not want, and cancelled bounties. */
export function narrow<Row>(rows: SelectQueryBuilder<DB, 'bounties', Row>, filter: Partial<BountyFilter>) {
  let query = filter.status
    ? rows.where('status', '=', filter.status)
    : rows.where('status', '<>', sql.lit('cancelled'))
  if (filter.project_id !== undefined) query = query.where('project_id', '=', filter.project_id)
  if (filter.difficulty) query = query.where('difficulty', '=', filter.difficulty)
  return query
}

/** A bounty with what its role and state checks need from its project. */
export const bountyForAction = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .where('bounties.id', '=', id)
    .select([
      'bounties.id',
      'bounties.status',
      'bounties.claimed_by',
      'bounties.claimed_at',
      'bounties.project_id',
      'bounties.reward_amount',
      'projects.founder_id',
      'projects.founder_wallet',
      'projects.token_address',
      'projects.repo_url',
      'projects.repository_id',
    ]),
)

/** The status of a bounty. */
export const bountyStatusOf = prepared((db, { id }: { id: string }) =>
  db.selectFrom('bounties').where('id', '=', id).select('status'),
)

/** A bounty with the submission that awaits its review or its payout, whose columns are null while there is none. */
export const reviewOfBounty = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('bounties')
    .leftJoin('submissions', (join) =>
      join
        .onRef('submissions.bounty_id', '=', 'bounties.id')
        .on('submissions.status', 'in', [sql.lit('pending' as const), sql.lit('approving' as const)]),
    )
    .where('bounties.id', '=', id)
    .select(['bounties.id', 'bounties.status'])
    .select(['submissions.id as submission_id', 'submissions.agent_id', 'submissions.pr_url'])
    .select(['submissions.status as submission_status', 'submissions.created_at as submitted_at'])
    .select([reviewDueAt.as('review_due_at'), reviewIsOverdue.as('overdue')]),
)

/** A row of {@link reviewOfBounty}. */
export type ReviewRow = NonNullable<ReturnType<typeof reviewOfBounty>['row']>

/** A bounty with its approved submission, whose columns are null while there is none. */
export const approvedSubmission = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .leftJoin('submissions', (join) =>
      join
        .onRef('submissions.bounty_id', '=', 'bounties.id')
        .on('submissions.status', '=', sql.lit('approved')),
    )
    .leftJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .where('bounties.id', '=', id)
    .select(['bounties.id', 'bounties.status', 'bounties.title', 'bounties.project_id'])
    .select(['projects.founder_id', 'projects.repo_url', 'projects.repository_id'])
    .select(['submissions.id as submission_id', 'submissions.pr_url', 'payouts.head_sha as paid_sha']),
)

/** The submission of a bounty that awaits its review or its payout. */
export function findUnreviewedSubmission(trx: Database, bountyId: string) {
  return trx
    .selectFrom('submissions')
    .where('bounty_id', '=', bountyId)
    .where('status', 'in', ['pending', 'approving'])
    .select(['id', 'agent_id', 'status'])
    .executeTakeFirst()
}

/** The bounty that the agent holds on the project of another one, if any. */
export async function findActiveClaim(
  db: Database,
  agentId: string,
  bountyId: string,
): Promise<string | undefined> {
  const held = await db
    .selectFrom('bounties')
    .where('claimed_by', '=', agentId)
    .where('status', 'in', ['claimed', 'in_review'])
    .where('project_id', '=', (bounty) =>
      bounty.selectFrom('bounties as other').where('other.id', '=', bountyId).select('other.project_id'),
    )
    .select('id')
    .executeTakeFirst()
  return held?.id
}

type ClaimEnding = 'released' | 'lapsed' | 'rejected' | 'retracted'

/** How the latest claim of the agent on the bounty ended; undefined if it never had one that ended. */
export async function lastEnding(
  db: Database,
  agentId: string,
  bountyId: string,
): Promise<ClaimEnding | undefined> {
  const ended = db
    .selectFrom('ended_claims')
    .where('bounty_id', '=', bountyId)
    .where('agent_id', '=', agentId)
    .select([sql.ref<ClaimEnding>('ending').as('ending'), 'ended_at'])
  const reviewed = db
    .selectFrom('submissions')
    .where('bounty_id', '=', bountyId)
    .where('agent_id', '=', agentId)
    .where('status', 'in', ['rejected', 'retracted'])
    .select([sql.ref<ClaimEnding>('status').as('ending'), sql.ref<Date>('reviewed_at').as('ended_at')])
  const latest = await db
    .selectFrom(ended.unionAll(reviewed).as('endings'))
    .select('ending')
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest?.ending
}

/** How a review ends without a payment. The claimant keeps the claim only where changes are requested. */
export interface Ending {
  status: UnpaidEnding
  review_notes: string | null
}

/** Ends a pending submission without a payment. */
export async function endSubmission(
  trx: Database,
  { id, ...ending }: { id: string } & Ending,
): Promise<void> {
  await trx
    .updateTable('submissions')
    .set({ ...ending, reviewed_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** Opens a locked bounty to everybody again. */
export async function openBounty(trx: Database, bountyId: string): Promise<void> {
  await trx.updateTable('bounties').set(openAgain).where('id', '=', bountyId).execute()
}

/**
 * Gives a locked bounty in review back to its claimant, with all the time of a new claim.
 * @param hours of `claimHours`, as JSON
 */
export async function renewClaim(trx: Database, bountyId: string, hours: string): Promise<void> {
  await trx
    .updateTable('bounties')
    .set({
      status: 'claimed',
      claim_expires_at: sql`now() + ${claimTime(hours)}`,
      extensions_left: claimExtensions,
      spared_from: null,
    })
    .where('id', '=', bountyId)
    .execute()
}

/** Cancels a locked open bounty. Without its texts no keyword finds it. */
export async function cancelBounty(trx: Database, bountyId: string): Promise<void> {
  await trx
    .with('unsearchable', (cte) => cte.deleteFrom('bounty_texts').where('id', '=', bountyId))
    .updateTable('bounties')
    .set({ status: 'cancelled' })
    .where('id', '=', bountyId)
    .execute()
}
