import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { noticedFrom, type Owners, ownersOf } from '../../lifecycle/attribution.ts'
import { keepKnown } from '../../lifecycle/seen-pulls.ts'
import { RepositoryError } from '../../repositories/error.ts'
import { mostLagMs } from '../../repositories/host.ts'
import { unshown } from '../../repositories/named-ids.ts'
import { parsePullRequestUrl } from '../../repositories/pull-request-url.ts'
import type { Before, PullRequestReading } from '../../repositories/pull-requests.ts'
import type { Repositories } from '../../repositories/repositories.ts'
import type { Work } from '../../repositories/work.ts'
import { paidElsewhere, type TrackedPullRequest } from './store.ts'

/** What a webhook of the code host says about a pull request. */
export interface PullReport {
  repository_id: number
  number: number
  is_open: boolean
  /** Whether it was merged into the default branch. */
  merged: boolean
  /** When the pull request was opened, by the host's clock, if that is what has happened. */
  opened_at: Date | null
  /** When it changed last, by the host's clock. */
  changed_at: Date
  /** What it shows about whose work it is. */
  named_ids: string[]
  author_login: string | null
  /** What it named before its author edited the description, if that is what has happened. */
  former_ids: string[] | null
}

const isRecent = sql<boolean>`received_at > now() - make_interval(secs => ${sql.lit(mostLagMs / 1000)})`

/** Whether it says what the author wrote, and nobody else. */
const isOfAuthor = ({ opened_at, former_ids }: PullReport) => opened_at !== null || former_ids !== null

/**
 * Keeps the newest that was said about a pull request of a project's repository. A merge is final. Webhooks come in any order, and an
 * edit may be of the second of the opening: so the opening is never newer than what is known, and of two edits of one second whose order
 * nobody knows both count.
 */
export async function keepReport(trx: Database, report: PullReport): Promise<void> {
  const { repository_id, number, is_open, merged, changed_at, opened_at, former_ids } = report
  const named_ids = isOfAuthor(report) ? report.named_ids : null
  await sql`
    insert into reported_pulls as known (repository_id, number, is_open, merged, changed_at, named_ids)
    select ${repository_id}, ${number}, ${is_open}, ${merged}, ${changed_at}::timestamptz, ${named_ids}::text[]
    where exists (select from projects where repository_id = ${repository_id})
    on conflict (repository_id, number) do update set merged = excluded.merged, is_open = excluded.is_open,
      changed_at = excluded.changed_at, received_at = excluded.received_at,
      named_ids = case when excluded.named_ids is null then known.named_ids
        when known.named_ids is null or known.changed_at < excluded.changed_at or known.named_ids = ${former_ids}::text[]
          then excluded.named_ids
        else array(select distinct unnest(known.named_ids || excluded.named_ids)) end
    where excluded.changed_at >= known.changed_at and not known.merged and ${opened_at === null}`.execute(trx)
  await sql`update reported_pulls set named_ids = ${named_ids}::text[]
    where repository_id = ${repository_id} and number = ${number} and named_ids is null`.execute(trx)
}

/** A pull request of the repository with this id at the host. */
type NamedPull = Pick<PullReport, 'number' | 'author_login'> & { repositoryId: number | null }

/** A pull request, the id that the host gave its repository, once that is known, and the agent whose work it may be. */
type KnownPullRequest = TrackedPullRequest & { repositoryId: number | null; agentId: string | null }

/**
 * Keeps whose work an open pull request is by its author's last word, as soon as the host reports it: a merge may follow within a second.
 * It takes no lock of the bounty, which others could hold meanwhile.
 */
export async function keepNamedPull(trx: Database, report: PullReport): Promise<void> {
  const { repository_id, number, opened_at, former_ids, author_login } = report
  if (report.merged || !isOfAuthor(report)) return
  const last = await ownersNamedLast(trx, { repositoryId: repository_id, number, author_login })
  if (former_ids) await takeBack(trx, report, ownersOf({ ...report, named_ids: former_ids }).bounties, last)
  if (!report.is_open) return
  const { agents, bounties } = last
  const named = await trx
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'project_id')
    .innerJoin('agents', (join) => join.on('agents.id', 'in', ['', ...agents]))
    .where('repository_id', '=', repository_id)
    // What names several was merged for any of them.
    .where('bounties.id', '=', bounties.length === 1 ? `${bounties[0]}` : '')
    .where('bounties.status', 'in', ['open', 'claimed', 'in_review'])
    .select(['bounties.id', 'agents.id as agentId'])
    .execute()
  const counts_from = noticedFrom(opened_at, new Date())
  for (const one of named) await keepKnown(trx, one, [{ number, counts_from }])
}

/**
 * Only its author can take back whose work a pull request is, by an edit that takes the name of the bounty out of the description or puts
 * that of another one in. What others have written there takes nothing back: those who may merge it can also edit its description.
 * @param former the bounties that the description named before the edit
 * @param last what its author has written last, which may be a later edit
 */
async function takeBack(
  trx: Database,
  report: PullReport,
  former: string[],
  { agents, bounties }: Owners,
): Promise<void> {
  // Where the names stand now, such as below a table, takes nothing back.
  const added = bounties.filter((bounty) => bounty !== unshown && !former.includes(bounty))
  const dropped = former.filter((bounty) => !bounties.includes(bounty))
  const only = bounties.length === 1 ? bounties[0] : null
  const isTakenFrom = (of: 'p' | 's') => sql<boolean>`(${sql.ref(`${of}.bounty_id`)} is distinct from ${only}
    and (${sql.ref(`${of}.bounty_id`)} = any(${dropped}) or ${added.length > 0})
    or ${agents.length > 0} and ${sql.ref(`${of}.agent_id`)} <> all(${agents}))`
  await sql`
    update seen_pulls p set is_taken_back = ${isTakenFrom('p')}, counts_from = case
        when is_taken_back and not ${isTakenFrom('p')} then ${noticedFrom(null, new Date())} else counts_from end
    from bounties, projects
    where bounties.id = p.bounty_id and projects.id = bounties.project_id
      and repository_id = ${report.repository_id} and number = ${report.number}
      and (p.bounty_id = ${only} or ${isTakenFrom('p')})`.execute(trx)
  await sql`
    update submissions s set is_attributed = false from projects
    where projects.id = s.project_id and repository_id = ${report.repository_id}
      and pr_url = repo_url || '/pull/' || ${report.number} and s.status in ('pending', 'changes_requested')
      and ${isTakenFrom('s')}`.execute(trx)
}

/**
 * What the author of a pull request has named last. Until the transaction ends, no webhook changes that: one that follows finds what is
 * stored here.
 */
export async function ownersNamedLast(
  trx: Database,
  { repositoryId, number, author_login }: NamedPull,
): Promise<Owners> {
  const last = await trx
    .selectFrom('reported_pulls')
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .select('named_ids')
    .forUpdate()
    .executeTakeFirst()
  return ownersOf({ named_ids: last?.named_ids ?? [], author_login })
}

/** Keeps that a pull request was merged which was seen to be work of a claim. The acceptances find out what that means. */
export async function keepMerged(
  trx: Database,
  { repository_id, number }: Pick<PullReport, 'repository_id' | 'number'>,
): Promise<void> {
  await sql`
    update seen_pulls set merged_at = clock_timestamp(), look_at = clock_timestamp() from bounties, projects
    where bounties.id = bounty_id and bounties.claimed_by = agent_id and bounties.status in ('claimed', 'in_review')
      and projects.id = project_id and repository_id = ${repository_id} and number = ${number} and not is_taken_back`.execute(
    trx,
  )
}

/** For what a reading is made, and how long it may take. */
export interface ReadingPurpose {
  /** Whether it only has to know of a merge: then nothing else that the host's webhooks have said makes it too old. */
  onlyMerge?: boolean
  mostMs?: number | undefined
}

/**
 * Reads a pull request, and makes sure that the reading is no older than what the host's webhooks have said: its interface may lag
 * behind them.
 * @returns undefined also if the address is no pull request's
 * @throws RepositoryError also `outdated`
 */
export async function readCurrent(
  db: Database,
  repositories: Pick<Repositories, 'readPullRequest'>,
  pull: KnownPullRequest,
  before: Omit<Before, 'readPaid'>,
  { onlyMerge = false, mostMs }: ReadingPurpose = {},
): Promise<PullRequestReading | undefined> {
  const address = parsePullRequestUrl(pull.repoUrl, pull.url)
  if (!address) return undefined
  const readPaid = async (sha: string) =>
    (await paidElsewhere(db, pull, sha)).map((paid) => ({
      sha: paid.head_sha,
      isOwn: paid.agent_id === pull.agentId,
    }))
  const reading = await repositories.readPullRequest(address, { ...before, readPaid }, mostMs)
  if (reading?.facts.merged) return reading
  const isNewer = reading
    ? sql<boolean>`(merged or not ${onlyMerge} and changed_at > ${reading.facts.changed_at})`
    : sql<boolean>`true`
  const outdated = await db
    .selectFrom('reported_pulls')
    .where('repository_id', '=', reading?.repositoryId ?? pull.repositoryId ?? -1)
    .where('number', '=', address.number)
    .where(isRecent)
    .where(isNewer)
    .select('number')
    .executeTakeFirst()
  if (outdated) throw new RepositoryError('outdated')
  return reading
}

/**
 * Makes sure that a list of work since a moment has all that the host's webhooks have said to be there.
 * @throws RepositoryError `outdated`
 */
export async function requireListed(
  db: Database,
  { id, since }: { id: number | null; since: Date },
  works: readonly Pick<Work, 'number' | 'merged_at'>[],
): Promise<void> {
  const listed = works.map(({ number }) => number)
  const merged = works.filter(({ merged_at }) => merged_at).map(({ number }) => number)
  const { rows } = await sql`
    select from reported_pulls where repository_id = ${id} and ${isRecent} and changed_at >= ${since}
      and (is_open and number <> all(${listed}) or merged and number <> all(${merged})) limit 1`.execute(db)
  if (rows.length > 0) throw new RepositoryError('outdated')
}

/** Deletes the oldest reports, which no reading is measured by any more. */
export async function deleteOldReports(db: Database): Promise<void> {
  await sql`delete from reported_pulls where not ${isRecent}`.execute(db)
}
