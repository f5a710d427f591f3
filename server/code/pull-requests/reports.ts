import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { ownerOf } from '../../lifecycle/pull-requests/attribution.ts'
import { claimGoesOn, endedFrom, keepPulls } from '../../lifecycle/pull-requests/seen-pulls.ts'
import { RepositoryError } from '../host/error.ts'
import { mostLagMs, type PullRequestAddress } from '../host/host.ts'
import { parsePullRequestUrl } from '../host/pull-request-url.ts'
import type { Before, KnownReading, PullRequestReading, ReportedMerge } from '../host/pull-requests.ts'
import type { Repositories } from '../host/repositories.ts'
import type { Work } from '../host/work.ts'
import { isOfAnother, paidElsewhere, type TrackedPullRequest } from './store.ts'

/** What a webhook of the code host says about a pull request. */
export interface PullReport {
  repository_id: number
  number: number
  is_open: boolean
  /** Whether it was merged, into whatever branch. */
  merged: boolean
  /** Whether it has just been opened. */
  is_opening: boolean
  /** When it changed last, by the host's clock. */
  changed_at: Date
  /** The name of its branch. */
  head_ref: string
  /** Where all of it is said. */
  merge?: ReportedMerge | null | undefined
}

/** Whether the host's interface may not show yet what was received. */
export const isRecent = sql<boolean>`received_at > now() - make_interval(secs => ${sql.lit(mostLagMs / 1000)})`

/**
 * Keeps the newest that was said about a pull request of a project's repository. A merge is final. Webhooks come in any order, and their
 * dates are whole seconds: an opening is never newer than what is known, and of one second the end counts.
 */
export async function keepReport(trx: Database, report: PullReport): Promise<void> {
  const { repository_id, number, is_open, merged, changed_at, is_opening } = report
  const merge = report.merge ? JSON.stringify(report.merge) : null
  await sql`
    insert into reported_pulls as known (repository_id, number, is_open, merged, changed_at, merge)
    select ${repository_id}, ${number}, ${is_open}, ${merged}, ${changed_at}::timestamptz, ${merge}::jsonb
    where exists (select from projects where repository_id = ${repository_id})
    on conflict (repository_id, number) do update set merged = excluded.merged, is_open = excluded.is_open,
      changed_at = excluded.changed_at, received_at = excluded.received_at, merge = excluded.merge
    where known.merge is null and excluded.merge is not null or not known.merged and (excluded.merged or not ${is_opening}
      and (excluded.changed_at, not excluded.is_open) >= (known.changed_at, not known.is_open))`.execute(trx)
}

/** Keeps what the host lists as merged. That is final, also where it shows the pull request by itself as it was before. */
export async function keepListedMerges(
  db: Database,
  repository_id: number,
  works: readonly Work[],
): Promise<void> {
  for (const { number, merged_at, head_ref } of works)
    if (number !== null && merged_at !== null)
      await keepReport(db, {
        repository_id,
        number,
        head_ref,
        is_open: false,
        merged: true,
        is_opening: false,
        changed_at: merged_at,
      })
}

/** A pull request, the id that the host gave its repository, once that is known, and the agent whose work it may be. */
type KnownPullRequest = TrackedPullRequest & { repositoryId: number | null; agentId: string | null }

/**
 * Keeps whose work a pull request is, as soon as the host reports it: a merge may follow within a second. It takes no lock of the bounty,
 * which others could hold meanwhile.
 */
export async function keepNamedPull(trx: Database, report: PullReport): Promise<void> {
  const { agent, bounty } = ownerOf(report)
  if (agent === null || bounty === null) return
  const named = await trx
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'project_id')
    .innerJoin('agents', (join) => join.on('agents.id', '=', agent))
    .where('repository_id', '=', report.repository_id)
    .where('bounties.id', '=', bounty)
    .where('bounties.status', 'in', ['open', 'claimed', 'in_review'])
    .select(['bounties.id', 'agents.id as agentId'])
    .executeTakeFirst()
  if (named) await keepPulls(trx, named, [report])
}

/**
 * Keeps that a pull request was merged which was seen to be work of a claim that goes on, or that ended against its agent's will. The acceptances
 * find out what that means.
 */
export async function keepMerged(
  trx: Database,
  { repository_id, number }: Pick<PullReport, 'repository_id' | 'number'>,
): Promise<void> {
  await sql`
    update seen_pulls p set merged_at = clock_timestamp(), look_at = clock_timestamp() from bounties, projects
    where bounties.id = bounty_id and (${claimGoesOn} or ${endedFrom} is not null)
      and projects.id = project_id and repository_id = ${repository_id} and number = ${number}`.execute(trx)
}

/** For what a reading is made, and how long it may take. */
export interface ReadingPurpose {
  /** Whether it only has to know of a merge: then nothing else that the host's webhooks have said makes it too old. */
  onlyMerge?: boolean
  /** Whether the founder decides, whatever the reading says of whose the merged commits are. */
  mayLag?: boolean
  /** Whether what is stored decides where the host hides a pull request of which it has said more. */
  mayHide?: boolean
  mostMs?: number | undefined
}

/**
 * A host that shows nothing of the repository, or another one under its name, does not say that a pull request is missing: access may
 * be lost for a while. Payments and refusals need to know.
 * @throws RepositoryError `unavailable`, unless the repository itself was read
 */
async function requireRepository(
  repositories: Pick<Repositories, 'repositoryIdAt'>,
  address: PullRequestAddress,
  { repositoryId }: Pick<KnownPullRequest, 'repositoryId'>,
  { reading, mostMs }: { reading: PullRequestReading | undefined; mostMs: number | undefined },
): Promise<void> {
  const found = reading?.repositoryId ?? (await repositories.repositoryIdAt(address, mostMs))
  if (found === undefined || found !== (repositoryId ?? found)) throw new RepositoryError('unavailable')
}

/**
 * Reads a pull request, and makes sure that the reading is no older than what the host's webhooks have said: its interface may lag
 * behind them.
 * @returns undefined if the repository has no such pull request, also if the address is no pull request's
 * @throws RepositoryError also `outdated`
 */
export async function readCurrent(
  db: Database,
  repositories: Pick<Repositories, 'readPullRequest' | 'repositoryIdAt'>,
  pull: KnownPullRequest,
  before: Omit<Before, 'readPaid' | 'mayLag' | 'onlyMerge' | 'reported'>,
  purpose: ReadingPurpose = {},
): Promise<PullRequestReading | undefined> {
  const { onlyMerge = false, mayLag = false, mayHide = false, mostMs } = purpose
  const address = parsePullRequestUrl(pull.repoUrl, pull.url)
  if (!address) return undefined
  const readPaid = async (sha: string) => [
    ...((await isOfAnother(db, pull, sha)) ? [{ sha, isOwn: false }] : []),
    ...(await paidElsewhere(db, pull, sha)).map((paid) => ({
      sha: paid.head_sha,
      isOwn: paid.agent_id === pull.agentId,
    })),
  ]
  const reported = before.known && (await reportedMerge(db, before.known, address))
  const asked = { ...before, mayLag, onlyMerge: onlyMerge && !reported, readPaid }
  const shown = await repositories.readPullRequest(address, asked, mostMs)
  await requireRepository(repositories, address, pull, { reading: shown, mostMs })
  // What the host has said of a merge stands where it hides the pull request since.
  const reading =
    !shown && reported ? await repositories.readPullRequest(address, { ...asked, reported }, mostMs) : shown
  if (reading?.facts.merged || (!reading && mayHide)) return reading
  const repository_id = reading?.repositoryId ?? pull.repositoryId ?? -1
  const its = { repository_id, number: address.number }
  const outdated = await isOutdated(db, its, reading?.facts.changed_at, onlyMerge)
  // The host may go on saying that nothing has changed since the older reading.
  if (outdated && before.known)
    return readCurrent(db, repositories, pull, { submitted: before.submitted }, purpose)
  if (outdated) throw new RepositoryError('outdated')
  return reading
}

/** What a webhook has said of the merge of a pull request of which an earlier reading is known. */
async function reportedMerge(
  db: Database,
  { repositoryId: repository_id }: KnownReading,
  { number }: PullRequestAddress,
): Promise<ReportedMerge | undefined> {
  const { rows } = await sql<{ merge: ReportedMerge }>`
    select merge from reported_pulls where (repository_id, number) = (${repository_id}, ${number}) and merge is not null`.execute(
    db,
  )
  return rows[0]?.merge
}

/** Whether a row `r` of `reported_pulls` says more of a pull request than what was read of it, which was not merged and had changed then. */
const saysMore = (changedAt: RawBuilder<unknown>) =>
  sql<boolean>`(${isRecent} and (r.merged or r.changed_at > ${changedAt}))`

/**
 * Whether the host's webhooks have said something newer of a pull request that is not merged than what was read of it.
 * @param changed_at when it changed last, as was read; undefined: nothing was read
 */
export async function isOutdated(
  db: Database,
  { repository_id, number }: Pick<PullReport, 'repository_id' | 'number'>,
  changed_at: Date | undefined,
  onlyMerge = false,
): Promise<boolean> {
  const since = changed_at && onlyMerge ? 'infinity' : (changed_at ?? '-infinity')
  const { rows } = await sql`
    select from reported_pulls r where repository_id = ${repository_id} and number = ${number}
      and ${saysMore(sql`${since}::timestamptz`)}`.execute(db)
  return rows.length > 0
}

/** Whether the host's webhooks have said something newer of a pull request than what is stored of it. */
export async function isReportedSince(db: Database, url: string): Promise<boolean> {
  const { rows } = await sql`
    select from pull_requests p join projects on projects.id = p.project_id
      join reported_pulls r on r.repository_id = projects.repository_id and r.number = p.number
    where p.url = ${url} and not p.merged and ${saysMore(sql`p.changed_at`)}`.execute(db)
  return rows.length > 0
}

/**
 * Makes sure that a list of work since a moment has all that the host's webhooks have said to be there of the work of these claims.
 * @param onlyMerged whether only merges are looked for: open work, of which anybody can have more than the host lists, does not matter
 * @throws RepositoryError `outdated`
 */
export async function requireListed(
  db: Database,
  {
    id,
    since,
    claims,
    onlyMerged,
  }: {
    id: number | null
    since: Date
    claims: readonly { id: string; agentId: string }[]
    onlyMerged: boolean
  },
  works: readonly Pick<Work, 'number' | 'merged_at'>[],
): Promise<void> {
  const numbersOf = (some: typeof works) => some.flatMap(({ number }) => number ?? [])
  const listed = numbersOf(works)
  const merged = numbersOf(works.filter(({ merged_at }) => merged_at))
  const { rows } = await sql`
    select from reported_pulls join seen_pulls using (number)
    where repository_id = ${id} and (bounty_id, agent_id) in (
        select * from unnest(${claims.map((claim) => claim.id)}::text[], ${claims.map(({ agentId }) => agentId)}::text[]))
      and ${isRecent} and changed_at >= ${since}
      and (not ${onlyMerged} and is_open and number <> all(${listed}) or merged and number <> all(${merged})) limit 1`.execute(
    db,
  )
  if (rows.length > 0) throw new RepositoryError('outdated')
}

/** How long it is kept who has merged a pull request: the host may be away, and hide it afterwards. */
const keptDays = 7

/** Deletes the oldest reports, which no reading is measured by any more. */
export async function deleteOldReports(db: Database): Promise<void> {
  await sql`delete from reported_pulls where not ${isRecent}
    and (merge is null or received_at < now() - make_interval(days => ${sql.lit(keptDays)}))`.execute(db)
}
