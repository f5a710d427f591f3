import { type Expression, type Insertable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { revised } from '../../api/fields.ts'
import { newestFirst, pages } from '../../api/page.ts'
import type { Database } from '../../db/client.ts'
import type { Bounties, DB } from '../../db/generated/tables.ts'
import { isoTime } from '../../db/iso-time.ts'
import { prepared } from '../../db/prepared.ts'
import { rowVersion } from '../../db/reads/versions.ts'
import type { AcceptanceRule } from '../../lifecycle/acceptance.ts'
import { claimExpiresAt, proofDueAt, reviewDueAt, reviewIsOverdue } from '../../lifecycle/deadlines.ts'
import { audience, keepRevision } from '../../lifecycle/revisions.ts'
import { isLocked } from '../../money/deposits/locked.ts'
import type { BountyRow, RevisedBounty } from './schema.ts'

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
/** Only this service writes the column. */
type Ruled = { acceptance: AcceptanceRule | null }

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
          .select(['submissions.id', 'pr_url', 'submissions.status'])
          .select(isoTime('submissions.created_at').as('created_at'))
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

/** At least so many base units that are locked, as `isLocked` says. */
export interface LockedDollars {
  least: bigint
  hours: string
}

/** What bounties to list. */
export interface BountyFilter {
  /** Lists of the API leave cancelled bounties out; those of the board have them. */
  status?: BountyRow['status'] | 'cancelled'
  project_id?: string
  difficulty?: BountyRow['difficulty']
  tag?: string
  min_reward?: number
  acceptance?: 'true' | 'false'
  dollars?: LockedDollars | undefined
  limit: number
  offset: number
}

/** The bounties with these ids, newest first. */
export function bountiesOf(db: Database, ids: Expression<string>) {
  return newestFirst(
    db.selectFrom('bounties').select(bountyColumns).where('id', 'in', ids).$narrowType<Listed>(),
  )
}

/** Bounties, newest first. An index alone skips what lies before the page. */
export const listBounties = pages<BountyFilter, BountyRow>(
  (db, { limit, offset, ...filter }) => {
    const ids = newestFirst(narrow(db.selectFrom('bounties').select('id'), filter))
    return bountiesOf(db, ids.limit(limit).offset(offset).$asScalar())
  },
  ['tag', 'min_reward', 'acceptance', 'dollars'],
)

/** Leaves out what `filter` does not want, and cancelled bounties unless it wants those alone. */
export function narrow<Row>(rows: SelectQueryBuilder<DB, 'bounties', Row>, filter: Partial<BountyFilter>) {
  let query = filter.status
    ? rows.where('status', '=', filter.status)
    : rows.where('status', '<>', sql.lit('cancelled'))
  if (filter.project_id !== undefined) query = query.where('project_id', '=', filter.project_id)
  if (filter.difficulty) query = query.where('difficulty', '=', filter.difficulty)
  if (filter.tag !== undefined) query = query.where(hasTag(filter.tag))
  if (filter.acceptance === 'true') query = query.where('acceptance', 'is not', null)
  if (filter.min_reward !== undefined) query = query.where('reward_amount', '>=', filter.min_reward)
  if (filter.dollars) query = query.where(hasDollars(filter.dollars))
  return query
}

function hasDollars({ least, hours }: LockedDollars): RawBuilder<boolean> {
  return sql`exists (select from deposits
    where bounty_id = bounties.id and amount >= ${String(least)} and ${isLocked(hours)})`
}

/** Whether a bounty has a tag. The index of tags has no bounty without any. */
export function hasTag(tag: string): RawBuilder<boolean> {
  return sql`tags <> '{}' and tags @> array[${tag}]::text[]`
}

/** The status of a bounty, and the founder of its project. */
export const bountyStatusOf = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .where('bounties.id', '=', id)
    .select(['bounties.status', 'founder_id']),
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
    .select('projects.wanted_repository')
    .select(['submissions.id as submission_id', 'submissions.pr_url', 'payouts.head_sha as paid_sha']),
)

/** The claim of a bounty that is `claimed`; its columns are null in every other status. Returns no row for an unknown bounty. */
export const claimOfBounty = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('bounties')
    .where('id', '=', id)
    .select(['id', 'status', 'claimed_by', 'claimed_at', 'extensions_left'])
    .select([claimExpiresAt.as('expires_at'), proofDueAt.as('proof_due_at')]),
)

/** The agent whose claim the founder ended last, while nobody has claimed the bounty since. */
export async function dismissedLast(db: Database, bountyId: string): Promise<string | undefined> {
  const last = await db
    .selectFrom('ended_claims')
    .innerJoin('bounties', 'bounties.id', 'bounty_id')
    .where('bounty_id', '=', bountyId)
    .where('bounties.status', '=', 'open')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('submissions')
            .whereRef('submissions.bounty_id', '=', 'ended_claims.bounty_id')
            .whereRef('submissions.created_at', '>', 'ended_at')
            .select('submissions.id'),
        ),
      ),
    )
    .orderBy('ended_at', 'desc')
    .select(['agent_id', 'ending'])
    .executeTakeFirst()
  return last?.ending === 'dismissed' ? last.agent_id : undefined
}

/** Stores a new bounty, which is `open`, and its texts for keyword searches. */
export async function storeBounty(trx: Database, bounty: Insertable<Bounties>): Promise<BountyRow> {
  const stored = await trx
    .insertInto('bounties')
    .values(bounty)
    .returning(bountyColumns)
    .$narrowType<Listed>()
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('bounty_texts')
    .columns(['id', 'created_at', 'title_folded', 'description_folded'])
    .expression(
      sql`select id, created_at, fold(title), fold(description) from bounties where id = ${bounty.id}`,
    )
    .execute()
  return stored
}

/** Whether a project has `most` bounties that are neither done nor cancelled. */
export async function hasUnfinished(trx: Database, projectId: string, most: number): Promise<boolean> {
  const last = await trx
    .selectFrom('bounties')
    .where('project_id', '=', projectId)
    .where('status', 'in', ['open', 'claimed', 'in_review'])
    .select('id')
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst()
  return last !== undefined
}

/** The present revision of a bounty that is not cancelled, and whom a change of it concerns. */
export function findRevision(trx: Database, id: string): Promise<RevisedBounty & { audience: string[] }> {
  return trx
    .selectFrom('bounties')
    .where('id', '=', id)
    .select([...bountyColumns, 'revision', 'tags', 'min_approved', 'acceptance', audience.as('audience')])
    .$narrowType<Listed & Ruled>()
    .executeTakeFirstOrThrow()
}

/** Changes a bounty that the caller has locked, and keeps what it said before. Searches find the new words and no others. */
export async function storeRevision(
  trx: Database,
  id: string,
  changes: Partial<Pick<RevisedBounty, (typeof revised)[number]>>,
): Promise<RevisedBounty> {
  await keepRevision(trx, id)
  const bounty = await trx
    .updateTable('bounties')
    .set({ ...changes, revision: sql<number>`revision + 1` })
    .where('id', '=', id)
    .returning([...bountyColumns, 'revision', 'tags', 'min_approved', 'acceptance'])
    .$narrowType<Listed & Ruled>()
    .executeTakeFirstOrThrow()
  await keepRevision(trx, id)
  if ((changes.title ?? changes.description) !== undefined)
    await trx
      .updateTable('bounty_texts')
      .set({
        title_folded: sql<string>`fold(${bounty.title})`,
        description_folded: sql<string>`fold(${bounty.description})`,
      })
      .where('id', '=', id)
      .execute()
  return bounty
}

/** The revisions of a bounty before a number, newest first. */
export const revisionsOf = prepared(
  (db, { id, before, limit }: { id: string; before: number; limit: number }) => {
    const kept = db
      .selectFrom('bounty_revisions')
      .where('bounty_id', '=', id)
      .select(['revision', ...revised, 'created_at'])
    // The only one of a bounty that was never changed.
    const first = db
      .selectFrom('bounties')
      .where('id', '=', id)
      .where('revision', '=', sql.lit(1))
      .select(['revision', ...revised, 'created_at'])
    return db
      .selectFrom(kept.unionAll(first).as('revisions'))
      .where('revision', '<', before)
      .selectAll()
      .orderBy('revision', 'desc')
      .limit(limit)
      .$narrowType<Ruled>()
  },
)
