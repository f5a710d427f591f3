import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { recordActivities } from '../../events/record.ts'
import { isFinal } from '../../lifecycle/pull-requests/attribution.ts'
import type { PullRequestReading } from '../host/pull-requests.ts'
import { nextReading } from './schedule.ts'
import {
  columnsOf,
  findPullRequest,
  type ReadingLease,
  type StoredPullRequest,
  submissionsRead,
  type TrackedPullRequest,
} from './store.ts'

/** Most submissions whose agents are notified of one change. */
const mostEntries = 20

/**
 * Records what the host reports about a pull request, and what has changed about it, in one transaction. A reading that
 * began before the stored one changes nothing, nor does one that does not know of a merge that the host has called so: that is final. A
 * pull request of another repository than the project's counts as gone: the project's was transferred, and its name given to
 * another one.
 * @param reading undefined if the host no longer has the pull request
 * @param hasWebhook whether the host reports changes itself
 * @returns what is stored now; undefined if nothing is, because the host does not have it
 */
export function record(
  db: Database,
  pull: TrackedPullRequest,
  { began, marker }: Pick<ReadingLease, 'began' | 'marker'>,
  reading: PullRequestReading | undefined,
  hasWebhook = false,
): Promise<StoredPullRequest | undefined> {
  return inTransaction(db, async (trx) => {
    const found = reading && (await isOurs(trx, pull.projectId, reading)) ? reading : undefined
    const before = await lock(trx, pull.url, began)
    if (!before) return found && insert(trx, pull, found, hasWebhook)
    const isSettled = before.merged && (isFinal(before) || before.merged_by_hash)
    if (before.is_newer || (isSettled && found?.facts.merged === false)) return before
    const columns = found
      ? { ...columnsOf(found), ...authorOf(before, found.facts) }
      : { state: 'gone' as const, mergeable: null, etags: sql<Record<string, string>>`etags - 'pull'` }
    const pause = await nextReading(trx, { ...before, ...columns }, hasWebhook, before)
    const stored = await trx
      .updateTable('pull_requests')
      .set({
        ...columns,
        ...(found && { refreshed_at: sql`${began}::timestamptz` }),
        ...(found?.facts.merged === false
          ? { acceptance_due_at: ruleIsDue(before, found) }
          : mergeIn(before, found)),
        due_at: sql`case when due_at is distinct from ${marker}::timestamptz then due_at else ${after(pause)} end`,
      })
      .where('url', '=', pull.url)
      .returningAll()
      .executeTakeFirstOrThrow()
    const change = changeBetween(before, stored)
    if (change) await announce(trx, change, stored)
    return stored
  })
}

/** When a pull request is due where the bounty of its submission in review has a rule; null elsewhere. */
const ifRuled = (url: string, due: RawBuilder<unknown>) => sql<Date | null>`(
  select ${due} from submissions s join bounties on bounties.id = bounty_id
  where s.pr_url = ${url} and s.status = 'pending' and acceptance is not null)`
const now = sql<Date>`now()`

/** What the host shows otherwise than before may begin or end a window. */
function ruleIsDue(before: StoredPullRequest, { cache }: PullRequestReading) {
  const isNews = before.merged || !isDeepStrictEqual(before.etags, cache)
  return ifRuled(before.url, isNews ? now : sql`pull_requests.acceptance_due_at`)
}

/** Who wrote it, once that is known, stays: accounts are deleted, and forks transferred. */
const authorOf = (
  before: StoredPullRequest,
  facts: Pick<StoredPullRequest, 'author_id' | 'author_login' | 'fork_owner_id'>,
) => ({
  author_id: facts.author_id ?? before.author_id,
  author_login: facts.author_login ?? before.author_login,
  fork_owner_id: before.fork_owner_id ?? facts.fork_owner_id,
})

/** How long a host usually shows what it has merged as open, in ms. */
const lagMs = 60_000

/**
 * The columns of a merge, after a reading that does not deny it. What was known of it stays where another reading, which found it in the
 * default branch alone, does not have it. Long before it was seen open it was not merged, whatever the host's clock says; what is shown
 * as open may be a moment older than a merge.
 */
function mergeIn(before: StoredPullRequest, found: PullRequestReading | undefined) {
  const facts = found?.facts
  if (before.merged)
    return {
      merged_at: before.merged_at ?? facts?.merged_at ?? null,
      merged_by_id: facts?.merged_by_id ?? before.merged_by_id,
      merge_commit_sha: facts?.merge_commit_sha ?? before.merge_commit_sha,
    }
  if (!facts) return {}
  const seenOpen = before.refreshed_at
  const isKnown = facts.merged_at && seenOpen.getTime() - facts.merged_at.getTime() <= lagMs
  const merged_at = isKnown ? facts.merged_at : seenOpen
  return { acceptance_due_at: now, merged_at }
}

/** Whether the reading is of the project's repository. The first one says which that is, if the activation did not. */
async function isOurs(
  trx: Database,
  projectId: string,
  { repositoryId }: PullRequestReading,
): Promise<boolean> {
  const { repository_id } = await trx
    .selectFrom('projects')
    .select('repository_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (repository_id !== null) return repository_id === repositoryId
  const { rows } = await sql`update projects set repository_id = ${repositoryId} where id = ${projectId}
    and coalesce(repository_id, ${repositoryId}) = ${repositoryId} returning id`.execute(trx)
  return rows.length > 0
}

function lock(trx: Database, url: string, began: string) {
  return trx
    .selectFrom('pull_requests')
    .selectAll()
    .select(
      sql<boolean>`case state when 'gone' then read_at else refreshed_at end > ${began}::timestamptz`.as(
        'is_newer',
      ),
    )
    .select(sql<number>`extract(epoch from ${began}::timestamptz - refreshed_at)::float8`.as('age'))
    .where('url', '=', url)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Stores the first reading, unless another process has just done it. It makes no event: everything is new. */
async function insert(
  trx: Database,
  pull: TrackedPullRequest,
  found: PullRequestReading,
  hasWebhook: boolean,
) {
  const pause = await nextReading(trx, { ...columnsOf(found), url: pull.url }, hasWebhook)
  await inserting(trx, pull, found, after(pause))
    .onConflict((conflict) => conflict.column('url').doNothing())
    .execute()
  return findPullRequest(trx, pull.url)
}

/** A time so many seconds from now; null for null. */
const after = (seconds: number | null) => sql<Date | null>`now() + make_interval(secs => ${seconds}::float8)`

function inserting(
  trx: Database,
  { url, projectId }: Pick<TrackedPullRequest, 'url' | 'projectId'>,
  found: PullRequestReading,
  due_at: ReturnType<typeof after>,
) {
  const number = sql<number>`substring(${url} from '[0-9]+$')::integer`
  const acceptance_due_at = found.facts.merged ? now : ifRuled(url, now)
  return trx
    .insertInto('pull_requests')
    .values({ url, project_id: projectId, number, ...columnsOf(found), due_at, acceptance_due_at })
}

/**
 * Stores what the host reported about the pull request of a new submission. If facts about it are stored, it is read again at
 * once instead, and the change announced.
 */
export async function trackPullRequest(
  trx: Database,
  pull: Pick<TrackedPullRequest, 'url' | 'projectId'>,
  found: PullRequestReading,
): Promise<void> {
  const soon = after(found.facts.merged ? null : 60)
  const due_at = sql<Date | null>`case when not pull_requests.merged then now() end`
  const acceptance_due_at = sql<Date | null>`case when pull_requests.merged then now() else ${ifRuled(pull.url, now)} end`
  await inserting(trx, pull, found, soon)
    .onConflict((conflict) => conflict.column('url').doUpdateSet({ due_at, acceptance_due_at }))
    .execute()
}

type Change = 'updated' | 'merged' | 'closed'

/** What those who follow the pull request should know. Whether it can be merged, and that it is gone, is no change of it. */
function changeBetween(before: StoredPullRequest, after: StoredPullRequest): Change | undefined {
  if (after.state === 'gone') return undefined
  if (after.merged) return before.merged ? undefined : 'merged'
  if (after.state === 'closed' && before.state === 'open') return 'closed'
  const hasChanged =
    (before.state === 'closed' && after.state === 'open') ||
    before.head_sha !== after.head_sha ||
    before.draft !== after.draft ||
    before.into_default !== after.into_default ||
    before.checks_state !== after.checks_state
  return hasChanged ? 'updated' : undefined
}

/** One entry for the newest submission of each bounty that has this pull request and was not taken back. */
export async function announce(trx: Database, change: Change, pull: StoredPullRequest): Promise<void> {
  const { draft, state, checks_state: checks, url: pr_url, head_sha, into_default, merge_commit_sha } = pull
  const { rows } = await sql<{
    [Reference in `${'agent' | 'project' | 'bounty' | 'submission'}_id`]: string
  }>`
    with submitted as (
      select id, agent_id, project_id, bounty_id, created_at, status from submissions
      where pr_url = ${pr_url} limit ${sql.lit(submissionsRead)})
    select id as submission_id, agent_id, project_id, bounty_id from (
      select distinct on (bounty_id) * from submitted where status <> 'retracted' order by bounty_id, created_at desc, id desc) newest
    order by created_at desc, id desc limit ${sql.lit(mostEntries)}`.execute(trx)
  const data = { draft, state, checks, pr_url, head_sha, into_default, merge_commit_sha }
  const type = `pull_request.${change}` as const
  await recordActivities(
    trx,
    rows.map((submission) => ({ ...submission, type, data })),
  )
}
