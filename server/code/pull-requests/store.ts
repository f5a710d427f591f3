import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { PullRequests } from '../../db/generated/tables.ts'
import { isFinal } from '../../lifecycle/pull-requests/attribution.ts'
import { growingPause } from '../../loops/timing.ts'
import { mostPaidCompared } from '../host/comparison.ts'
import { lastingFailures, type RepositoryErrorKind } from '../host/error.ts'
import type { Before, KnownReading, PullRequestReading, SeenCommit } from '../host/pull-requests.ts'

/** What is stored about a pull request. */
export type StoredPullRequest = Selectable<PullRequests>

/** A pull request of a submission, and the repository of its project. */
export interface TrackedPullRequest {
  /** Canonical address; `pr_url` of its submissions. */
  url: string
  projectId: string
  repoUrl: string
}

/** The right to read a pull request from the host now. Readings count in the order in which they began. */
export interface ReadingLease {
  /** What is stored, if anything is. */
  row: StoredPullRequest | undefined
  /** When the reading began, to the microsecond. */
  began: string
  /** `due_at` while the reading goes on, to the microsecond. Who wants another reading sets another time. */
  marker: string | null
  /** The commit that was paid, or submitted last, and by whom. */
  submitted: (SeenCommit & { agentId: string }) | null
  /** Id that the host gave the project's repository, once it is known. */
  repositoryId: number | null
}

/** Seconds for which a reading is good enough for those who ask. */
const freshSeconds = 60
/** If the process ends during a reading, another one is due after so many seconds. */
const readingSeconds = 60
/** Shortest pause until a host that lags behind its webhooks is read again. */
const lagSeconds = 2
/** How many submissions of one pull request are looked at, so that one that is submitted again and again costs no more. */
export const submissionsRead = 1000

const leased = sql`read_at = clock_timestamp(),
  due_at = case when p.due_at is not null then clock_timestamp() + make_interval(secs => ${sql.lit(readingSeconds)}) end`
const submitted = (
  url: RawBuilder<unknown>,
) => sql`(select jsonb_build_object('sha', coalesce(o.head_sha, s.head_sha), 'seenAt', h.seen_at, 'agentId', s.agent_id)
    from submissions s left join payouts o on o.submission_id = s.id left join seen_heads h on h.project_id = s.project_id
      and h.agent_id = s.agent_id and h.head_sha = coalesce(o.head_sha, s.head_sha)
    where s.pr_url = ${url} and s.head_sha is not null order by s.created_at desc limit 1) as submitted`
const ofLease = sql`p.read_at::text as began, p.due_at::text as marker, repository_id as "repositoryId", ${submitted(sql`p.url`)}`

type LeasedRow = StoredPullRequest & Omit<ReadingLease, 'row' | 'submitted'> & { submitted: InJson | null }
/** Postgres has times as text in JSON. */
type InJson = { sha: string; seenAt: string | null; agentId: string }

function toLease({ began, marker, repositoryId, submitted, ...row }: LeasedRow): ReadingLease {
  return { row, began, marker, repositoryId, submitted: toSeen(submitted) }
}

const toSeen = (seen: InJson | null | undefined): ReadingLease['submitted'] =>
  seen ? { ...seen, seenAt: seen.seenAt === null ? null : new Date(seen.seenAt) } : null

/** Whether another reading may have news: one is due, or the last one is a minute old. A merge is final. */
const isStale = sql<boolean>`(not merged
  and (due_at <= now() or read_at < now() - make_interval(secs => ${sql.lit(freshSeconds)})) is true)`

/** Leases a reading of a stored pull request if it may have news. One of several callers gets it. */
export async function leaseIfStale(db: Database, url: string): Promise<ReadingLease | undefined> {
  const { rows } = await sql<LeasedRow>`update pull_requests p set ${leased} from projects
    where p.url = ${url} and projects.id = p.project_id and ${isStale} returning p.*, ${ofLease}`.execute(db)
  return rows[0] && toLease(rows[0])
}

/** Leases a reading whatever is stored, for a decision that needs to know what is true now. */
export async function leaseNow(db: Database, { url, projectId }: TrackedPullRequest): Promise<ReadingLease> {
  const { rows } = await sql<LeasedRow>`update pull_requests p set ${leased} from projects
    where p.url = ${url} and projects.id = p.project_id returning p.*, ${ofLease}`.execute(db)
  if (rows[0]) return toLease(rows[0])
  const first = await sql<
    Omit<LeasedRow, keyof StoredPullRequest>
  >`select clock_timestamp()::text as began, null as marker,
    repository_id as "repositoryId", ${submitted(sql`${url}`)} from projects where id = ${projectId}`.execute(
    db,
  )
  const nothing = { row: undefined, began: '', marker: null, repositoryId: null }
  return { ...nothing, ...first.rows[0], submitted: toSeen(first.rows[0]?.submitted) }
}

/** Whether a reading is due. */
export const hasDue = () => sql`exists (select from pull_requests where due_at <= now())`

/** Leases up to `limit` readings that are due, those first that were due first; `onlyMerged`: of what webhooks have reported as merged. */
export async function leaseDue(
  db: Database,
  limit: number,
  onlyMerged = false,
): Promise<(ReadingLease & TrackedPullRequest)[]> {
  const isReported = sql`exists (select from reported_pulls r join projects on projects.repository_id = r.repository_id
    where projects.id = project_id and r.number = pull_requests.number and r.merged)`
  const { rows } = await sql<LeasedRow & { repoUrl: string }>`
    with due as materialized (
      select url from pull_requests where due_at <= now() and (not ${onlyMerged} or ${isReported}) order by due_at limit ${limit} for no key update skip locked)
    update pull_requests p set ${leased} from due, projects
    where p.url = due.url and projects.id = p.project_id
    returning p.*, ${ofLease}, projects.repo_url as "repoUrl"`.execute(db)
  return rows.map(({ repoUrl, ...row }) => ({
    ...toLease(row),
    url: row.url,
    projectId: row.project_id,
    repoUrl,
  }))
}

/** What is stored about a pull request, and whether another reading may have news. */
export function findPullRequest(db: Database, url: string) {
  return db
    .selectFrom('pull_requests')
    .selectAll()
    .select(isStale.as('is_stale'))
    .where('url', '=', url)
    .executeTakeFirst()
}

/**
 * The reading failed. The next one is due in a minute. Where only the operator can end that, after a tenth of what the facts are
 * old, at least a minute and at most an hour: the pauses grow, and a host that refuses credentials once, as GitHub does, is read soon. Where it lags behind its webhooks, as long as the last of these
 * is ago.
 */
export async function postpone(
  db: Database,
  url: string,
  { marker, repositoryId }: ReadingLease,
  kind: RepositoryErrorKind,
): Promise<void> {
  const most = lastingFailures[kind] ? 3600 : 60
  const pause =
    kind === 'outdated'
      ? sql`(select greatest(now() - received_at, make_interval(secs => ${sql.lit(lagSeconds)})) from reported_pulls
          where repository_id = ${repositoryId} and reported_pulls.number = pull_requests.number)`
      : growingPause(sql`refreshed_at`, { least: 60, most, divisor: 10 })
  await sql`update pull_requests set due_at = now() + ${pause}
    where url = ${url} and due_at = ${marker}::timestamptz`.execute(db)
}

/** A commit that was paid, for which bounty, and to whom. */
interface PaidCommit {
  head_sha: string
  bounty_id: string
  agent_id: string
}

/**
 * The commits that were paid for other pull requests of the project: `sha` if it was, and the newest that may have come to the default
 * branch as they are, and with them what is below them. One more than are compared says that there are others.
 */
export async function paidElsewhere(
  db: Database,
  { projectId, url }: Pick<TrackedPullRequest, 'projectId' | 'url'>,
  sha: string,
): Promise<PaidCommit[]> {
  // The host has merged it by a commit of its own, which leaves it out.
  const isSquashed = sql`coalesce(p.merged and p.merge_commit_sha <> paid.head_sha and not p.merged_by_hash, false)`
  const { rows } = await sql<PaidCommit>`
    select paid.head_sha, its.bounty_id, its.agent_id
    from payouts paid join submissions its on its.id = paid.submission_id left join pull_requests p on p.url = its.pr_url
    where paid.project_id = ${projectId} and its.pr_url <> ${url} and paid.head_sha is not null and paid.status <> 'failed'
      and (paid.head_sha = ${sha} or not ${isSquashed})
    order by paid.head_sha = ${sha} desc, paid.begun_at desc
    limit ${sql.lit(mostPaidCompared + 1)}`.execute(db)
  return rows
}

/**
 * Whether the commit is nobody's own work, or another agent's. It merged another pull request of the project: the commits of some hosts hold
 * nothing that cannot be known before, so anybody could open a pull request with one before it is made, and a merge by hash is on no list of
 * the host. Or another agent has shown it first: the host lists neither those closed since nor those whose fork alone has it.
 */
export async function isOfAnother(
  db: Database,
  { projectId, url, agentId }: Pick<TrackedPullRequest, 'projectId' | 'url'> & { agentId: string | null },
  sha: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from pull_requests
    where project_id = ${projectId} and merge_commit_sha = ${sha} and merged and url <> ${url}
    union all
    select from seen_heads other left join seen_heads its on its.project_id = other.project_id
      and its.head_sha = other.head_sha and its.agent_id = ${agentId}
    where other.project_id = ${projectId} and other.head_sha = ${sha} and other.agent_id <> ${agentId}
      and (its.seen_at is null or other.seen_at < its.seen_at)
    limit 1`.execute(db)
  return rows.length > 0
}

/** What is known of a pull request for the next reading. */
export function beforeOf(lease: ReadingLease): Before {
  const { row, submitted } = lease
  // What was found in the default branch is looked for there again.
  const isFound = row?.merged && !isFinal(row) && row.head_sha !== submitted?.sha
  return { known: knownOf(lease), submitted: isFound ? { sha: row.head_sha, seenAt: null } : submitted }
}

/** Undefined if the host has to send everything. */
function knownOf({ row, repositoryId }: ReadingLease): KnownReading | undefined {
  if (!row || repositoryId === null) return undefined
  // That nothing has changed at the host says nothing of what is in the default branch.
  if (row.merged && !isFinal(row)) return undefined
  const {
    url,
    project_id,
    number,
    checks_state,
    failed_checks,
    neutral_checks,
    skipped_checks,
    checks_total,
    merged_by_hash,
    ...rest
  } = row
  const { etags, refreshed_at, read_at, due_at, acceptance_due_at, ...facts } = rest
  const state = row.state === 'gone' ? 'closed' : row.state
  // Only this service writes the column.
  return { repositoryId, facts: { ...facts, state }, cache: etags as KnownReading['cache'] }
}

/** The columns of a reading. */
export function columnsOf({ facts, checks, cache }: PullRequestReading) {
  return {
    ...facts,
    checks_state: checks.state,
    checks_total: checks.total,
    failed_checks: checks.failed,
    neutral_checks: checks.neutral,
    skipped_checks: checks.skipped,
    etags: cache as Record<string, string>,
  }
}
