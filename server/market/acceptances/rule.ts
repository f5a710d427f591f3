import { sql } from 'kysely'
import { RepositoryError } from '../../code/host/error.ts'
import { parsePullRequestUrl } from '../../code/host/pull-request-url.ts'
import type { Repositories } from '../../code/host/repositories.ts'
import { isCheckUnlisted } from '../../code/pull-requests/deliveries.ts'
import { isOutdated } from '../../code/pull-requests/reports.ts'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import type { Reason } from '../../events/acceptance-reasons.ts'
import { recordActivity } from '../../events/record.ts'
import { type AcceptanceRule, applyRule, type Seen } from '../../lifecycle/acceptance.ts'
import { acceptsAt } from '../../lifecycle/deadlines.ts'
import { isWorkOf } from '../../lifecycle/pull-requests/attribution.ts'
import { growingPause } from '../../loops/timing.ts'

/** A submission in review whose bounty has a rule, and what the last look at it has found. */
export interface RuledWork {
  submission_id: string
  bounty_id: string
  agent_id: string
  project_id: string
  url: string
  repo_url: string
  repository_id: number | null
  rule: AcceptanceRule
  seen: Seen | null
  /** What is stored of the pull request: whether it is merged, and when it changed last, by the host's clock. */
  merged: boolean
  changed_at: Date
  /** Whether the time of its window is over. */
  is_over: boolean
  /** When the next look is due unless something happens, to the microsecond. */
  marker: string
}

/** What looking needs. */
export interface RuleOptions {
  db: Database
  repositories: Repositories
  /** How long an hour of a rule is. */
  ruleHourSeconds: number
}

/**
 * Reads the host, with nothing taken from before, and stores what that means for the window.
 * @returns the commit to pay: the window is over, and the rule has held for the same runs on the same commit since it began; or that it was
 *   merged, which ends no window
 * @throws RepositoryError
 */
export async function lookByRule(
  options: RuleOptions,
  work: RuledWork,
): Promise<{ pays: string } | 'merged' | undefined> {
  const { rule, seen, is_over } = work
  const found = await readFacts(options, work)
  // What is hidden for a moment when it is to be paid is read again soon.
  if (!found && is_over) throw new RepositoryError('unavailable')
  if (!found) return undefined
  if (found.pull.merged) return 'merged'
  const { mark, passed, checks } = found
  const { head_sha } = found.pull
  const outcome = applyRule(rule, found)
  const isRunning = outcome.holds && seen?.state === 'running'
  const isSame = isRunning && seen.head_sha === head_sha && seen.mark === mark && seen.passed === passed
  if (isSame && is_over) return { pays: outcome.head }
  const now = { reason: outcome.holds ? null : outcome.reason, head_sha, checks, mark, passed }
  await store(options, work, { now, isSame })
  return undefined
}

/** Ends the window of what was merged otherwise than by an acceptance: silence does not pay for it. */
export async function endWindow(options: RuleOptions, work: RuledWork): Promise<void> {
  const { seen } = work
  if (seen?.state !== 'running') return
  await store(options, work, { now: { ...seen, reason: 'closed' }, isSame: false })
}

/**
 * For the transaction in which a payout begins: another look, of another process, may have ended the window or begun it anew meanwhile.
 * @throws ServiceError `submission_changed`
 */
export async function requireOver(trx: Database, submissionId: string, head: string): Promise<void> {
  const isOver = await trx
    .selectFrom('submissions')
    .where('id', '=', submissionId)
    .where('accepts_sha', '=', head)
    .where(acceptsAt, '<=', sql<Date>`now()`)
    .select('id')
    .executeTakeFirst()
  if (!isOver) throw new ServiceError('submission_changed')
}

/** Undefined if the host does not show the pull request, which says nothing of it. */
async function readFacts({ db, repositories }: RuleOptions, work: RuledWork) {
  const address = parsePullRequestUrl(work.repo_url, work.url)
  const found = address && (await repositories.readRuled(address, work.rule))
  if (!found) return undefined
  const { pull, repositoryId } = found
  if (repositoryId !== (work.repository_id ?? repositoryId)) throw new RepositoryError('unavailable')
  const its = { repository_id: repositoryId, number: address.number, head_sha: pull.head_sha }
  const isBehind =
    !pull.merged &&
    (pull.changed_at < work.changed_at ||
      (await isOutdated(db, its, pull.changed_at)) ||
      (await isCheckUnlisted(db, its, found.newest)))
  if (isBehind) throw new RepositoryError('outdated')
  const isContributors = isWorkOf(pull, work.agent_id, work.bounty_id)
  return { ...found, isContributors, isOld: await wasReviewed(db, work, pull.head_sha) }
}

/** Whether the commit was paid for another submission of the project, or has come back from a review of the bounty. */
async function wasReviewed(db: Database, work: RuledWork, sha: string): Promise<boolean> {
  const { rows } = await sql`select from submissions s left join payouts p on p.submission_id = s.id
    where s.project_id = ${work.project_id} and s.id <> ${work.submission_id}
      and (p.head_sha = ${sha} and p.status <> 'failed'
        or s.bounty_id = ${work.bounty_id} and s.head_sha = ${sha} and s.status in ('rejected', 'changes_requested'))
    limit 1`.execute(db)
  return rows.length > 0
}

type Found = Omit<Seen, 'state' | 'since' | 'isSaid' | 'isHeldUp'>

const ofChecks: readonly Reason[] = ['check_failed', 'check_pending', 'checks_not_run']

/** Why a window has ended, and whether a check on the same commit did it. */
function whyEnded(seen: Seen, now: Found): { why: Reason; isByCheck: boolean } {
  if (seen.head_sha !== now.head_sha) return { why: 'another_commit', isByCheck: false }
  if (now.reason !== null) return { why: now.reason, isByCheck: ofChecks.includes(now.reason) }
  return { why: 'repeated', isByCheck: seen.mark !== now.mark }
}

/** Stores a look, unless another one came first, and when the next one is due. Both sides hear of what has changed. */
async function store(
  { db, ruleHourSeconds }: RuleOptions,
  { submission_id, bounty_id, agent_id, project_id, url, seen, rule, marker }: RuledWork,
  { now, isSame }: { now: Found; isSame: boolean },
): Promise<void> {
  const wasRunning = seen?.state === 'running'
  const isWaiting = seen?.reason === now.reason && seen.head_sha === now.head_sha
  const since = isWaiting ? seen.since : new Date().toISOString()
  // After an hour both sides hear of it.
  const isUnrun = now.reason === 'checks_not_run' && Date.now() - Date.parse(since) >= 3_600_000
  const isStopped = wasRunning || seen?.state === 'stopped'
  const state = now.reason === null ? 'running' : isStopped ? 'stopped' : 'waiting'
  const isSaid = isUnrun || (isWaiting && seen.isSaid)
  const begins = state === 'running' && !isSame
  const ended = wasRunning && !isSame ? whyEnded(seen, now) : undefined
  const isHeldUp = seen?.isHeldUp === true || ended?.isByCheck === true
  await inTransaction(db, async (trx) => {
    const stored = await trx
      .updateTable('submissions')
      .set({
        acceptance_seen: { ...now, state, since, isSaid, isHeldUp } satisfies Seen,
        ...(begins && {
          accepts_at: sql<Date>`now() + make_interval(secs => ${rule.hours * ruleHourSeconds})`,
          accepts_sha: now.head_sha,
        }),
        ...(state !== 'running' && { accepts_at: null, accepts_sha: null }),
        // What kept the payment back is known for the window that is over.
        ...(!isSame && { acceptance_blocked: null }),
      })
      .where('id', '=', submission_id)
      .where('status', '=', 'pending')
      .where(sql<boolean>`acceptance_seen is not distinct from ${seen}::jsonb`)
      .returning(acceptsAt.as('accepts_at'))
      .executeTakeFirst()
    const { head_sha, reason } = now
    const accepts_at = stored?.accepts_at ?? null
    if (stored) {
      const about = { submission_id, bounty_id, agent_id, project_id }
      const stopped = (reason: Reason, head_sha: string) =>
        recordActivity(trx, { ...about, type: 'acceptance.stopped', data: { reason, head_sha } })
      if (wasRunning && ended) await stopped(ended.why, seen.head_sha)
      if (isUnrun && !seen?.isSaid) await stopped('checks_not_run', head_sha)
      if (begins && accepts_at)
        await recordActivity(trx, {
          ...about,
          type: 'acceptance.started',
          data: { head_sha, accepts_at: accepts_at.toISOString() },
        })
    }
    const pause = growingPause(sql`${since}::timestamptz`, { least: 60, most: 3600 })
    const next = reason === null ? accepts_at : sql<Date>`now() + ${pause}`
    // Where another look came first, and what was reported meanwhile, is looked at at once.
    await trx
      .updateTable('pull_requests')
      .set({ acceptance_due_at: stored ? next : sql<Date>`now()` })
      .where('url', '=', url)
      .where(sql<boolean>`acceptance_due_at = ${marker}::timestamptz`)
      .execute()
  })
}
