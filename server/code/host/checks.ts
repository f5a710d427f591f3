import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { limitSignal } from '../../config/time-limit.ts'
import { isUnknownOutcome, parseBody, secondsLimited, statusOf, toRepositoryError } from './failures.ts'
import type { Host } from './host.ts'
import { asName } from './naming.ts'

/** What the checks and statuses of a commit say together. Each list has at most 20 names of at most 100 characters, which others choose. */
export interface Checks {
  /** The first of `failure`, `pending`, `unknown` and `success` that is the outcome of one; else `none`. */
  state: (typeof byWeight)[number] | 'none'
  /** Names of those that failed. */
  failed: string[]
  /** Names of those that ended without saying whether they passed. */
  neutral: string[]
  /** Names of those that did not run. */
  skipped: string[]
  /** How many the host has; null if it does not show them. */
  total: number | null
}

/** What one request has reported, with the entity tag of its response. */
export interface ChecksPart extends Checks {
  etag?: string
}

/** What an earlier reading has reported about the commit `head`. */
export interface KnownChecks {
  head?: string
  runs?: ChecksPart
  statuses?: ChecksPart
}

const byWeight = ['failure', 'pending', 'unknown', 'success'] as const
type Outcome = (typeof byWeight)[number] | 'neutral' | 'skipped'

/** Conclusions of check runs and states of statuses. Every other word is unknown, and so is `stale`: the host gave up waiting. */
const outcomes = new Map<unknown, Outcome>([
  ['success', 'success'],
  ['neutral', 'neutral'],
  ['skipped', 'skipped'],
  ['pending', 'pending'],
  ['failure', 'failure'],
  ['error', 'failure'],
  ['timed_out', 'failure'],
  ['cancelled', 'failure'],
  ['action_required', 'failure'],
  ['startup_failure', 'failure'],
])
const underWay: readonly unknown[] = ['queued', 'in_progress', 'waiting', 'requested', 'pending']

/** Most names of each kind that are kept of a commit's checks. */
export const mostNames = 20
const perPage = 100
/** Most requests for the check runs of a commit. Few commits have more than 500 of them. */
const mostPages = 5

const count = z.int().min(0).max(1e9)
const id = z.number().nullish().catch(null)
const text = z.string().nullish().catch(null)
const reference = z.object({ id }).nullish().catch(null)

const CheckRun = z.object({
  id,
  app: reference,
  check_suite: reference,
  name: text,
  status: text,
  conclusion: text,
})
const CheckRuns = z.object({ total_count: count, check_runs: z.array(CheckRun) })
const WorkflowRuns = z.object({
  workflow_runs: z.array(z.object({ check_suite_id: id, workflow_id: id, name: text })),
})
const Statuses = z.object({
  state: text,
  total_count: count,
  statuses: z.array(z.object({ context: text, state: text })),
})

type CheckRun = z.infer<typeof CheckRun>
type Workflow = z.infer<typeof WorkflowRuns>['workflow_runs'][number]
type At = Parameters<Octokit['rest']['checks']['listForRef']>[0] & object

/**
 * Reads the check runs and the statuses of a commit. A host that has none reports `none`. What it does not show, or says in words that
 * are not known here, is `unknown`.
 */
export async function readChecks(
  { octokit, request }: Host,
  { owner, repository: repo }: { owner: string; repository: string },
  head: string,
  known: KnownChecks = {},
): Promise<Required<KnownChecks>> {
  // Sent once, and not for all of the time: what else is to be known of the pull request waits for it.
  const signal = limitSignal((request.deadline - Date.now()) / 2, request.signal)
  const at = { owner, repo, ref: head, per_page: perPage, request: { ...request, signal, retries: 0 } }
  const before = known.head === head ? known : {}
  const [runs, statuses] = await Promise.all([
    readPart(before.runs, (headers) => readRuns(octokit, at, headers)),
    readPart(before.statuses, (headers) => readStatuses(octokit, at, headers)),
  ])
  return { head, runs, statuses }
}

/** Both parts as one. */
export function combine({ runs, statuses }: Required<KnownChecks>): Checks {
  const both = (names: 'failed' | 'neutral' | 'skipped') => namesOf([...runs[names], ...statuses[names]])
  return {
    state: heaviest([runs.state, statuses.state]),
    failed: both('failed'),
    neutral: both('neutral'),
    skipped: both('skipped'),
    total: runs.total === null || statuses.total === null ? null : runs.total + statuses.total,
  }
}

async function readPart(
  known: ChecksPart | undefined,
  read: (headers: Record<string, string>) => Promise<ChecksPart>,
): Promise<ChecksPart> {
  try {
    return await read(known?.etag ? { 'if-none-match': known.etag } : {})
  } catch (error) {
    const status = statusOf(error)
    if (status === 304 && known) return known
    const unknown = { ...summarize([{ outcome: 'unknown' }], 0), total: null }
    // A host that cannot list the checks keeps nobody from what else is known of the pull request.
    if (isUnknownOutcome(error) && secondsLimited(error) === undefined) return unknown
    // A commit that has just been pushed may not be there yet, and the host may hide for a moment what it has.
    if (status === 404 || status === 422 || isHidden(error)) return unknown
    throw error
  }
}

/** Whether the credentials lack the permission, or have lost it: that says nothing about the commit. */
function isHidden(error: unknown): boolean {
  const status = statusOf(error)
  return (status === 403 || status === 410) && toRepositoryError(error)?.kind !== 'unavailable'
}

async function readRuns(octokit: Octokit, at: At, headers: Record<string, string>): Promise<ChecksPart> {
  const first = await octokit.rest.checks.listForRef({ ...at, filter: 'latest', headers })
  const { total_count: total, check_runs: runs } = parseBody(CheckRuns, first.data)
  const pages = Math.min(mostPages, Math.ceil(total / perPage))
  for (let page = 2; page <= pages; page++) {
    const next = await octokit.rest.checks.listForRef({ ...at, filter: 'latest', page })
    runs.push(...parseBody(CheckRuns, next.data).check_runs)
  }
  const results = (await newestOf(octokit, at, runs)).map((run) => ({
    name: run.name,
    outcome: outcomeOf(run),
  }))
  // A host whose runs change between two pages repeats some of them, and leaves others out.
  const listed = new Set(runs.map((run) => run.id)).size
  const unlisted = listed < total ? [{ outcome: 'unknown' } as const] : []
  // The tag is that of one page, so several pages have none.
  return { ...summarize([...results, ...unlisted], total), ...(pages <= 1 && tagOf(first)) }
}

async function readStatuses(octokit: Octokit, at: At, headers: Record<string, string>): Promise<ChecksPart> {
  const response = await octokit.rest.repos.getCombinedStatusForRef({ ...at, headers })
  const { state, total_count: total, statuses } = parseBody(Statuses, response.data)
  const listed = statuses.map((each) => ({
    name: each.context,
    outcome: outcomes.get(each.state) ?? 'unknown',
  }))
  // Of no statuses GitHub says `pending`. Of several pages it says what those say together.
  const together = total === 0 ? [] : [{ outcome: outcomes.get(state) ?? 'unknown' }]
  return { ...summarize([...listed, ...together], total), ...tagOf(response) }
}

const tagOf = ({ headers: { etag } }: { headers: { etag?: string } }) => (etag === undefined ? {} : { etag })

/**
 * The newest run of each app, workflow and name. The host itself leaves out older ones of the same suite only, and one that was started
 * again may be in another suite. It is asked for the workflows if that could change what the runs say together.
 */
async function newestOf(octokit: Octokit, at: At, runs: CheckRun[]): Promise<CheckRun[]> {
  const newest = withoutOlder(runs, () => true)
  const said = new Set(newest.map(outcomeOf))
  if (runs.every((run) => said.has(outcomeOf(run)))) return newest
  const workflows = await readWorkflows(octokit, at)
  return withoutOlder(runs, (one, other) => {
    const its = workflows.get(one.check_suite?.id)
    const others = workflows.get(other.check_suite?.id)
    return its?.workflow_id === others?.workflow_id || (its?.name ?? '') === others?.name
  })
}

function withoutOlder(
  runs: CheckRun[],
  isSameWorkflow: (one: CheckRun, other: CheckRun) => boolean,
): CheckRun[] {
  return runs.filter((one) => !runs.some((other) => replaces(other, one) && isSameWorkflow(one, other)))
}

/** A run of which the host does not say everything neither replaces another one nor is replaced, nor do jobs of one name in one suite. */
function replaces(other: CheckRun, one: CheckRun): boolean {
  if (!one.id || !other.id || !one.app?.id || !one.name) return false
  if (one.check_suite?.id && one.check_suite.id === other.check_suite?.id) return false
  return other.id > one.id && other.app?.id === one.app.id && other.name === one.name
}

/** The workflows of a commit by their check suites; none if the host does not show them. */
async function readWorkflows(
  octokit: Octokit,
  { owner, repo, ref: head_sha, per_page, request }: At,
): Promise<Map<unknown, Workflow>> {
  try {
    const at = { owner, repo, head_sha, per_page, request }
    const { data } = await octokit.rest.actions.listWorkflowRunsForRepo(at)
    const { workflow_runs } = parseBody(WorkflowRuns, data)
    return new Map(workflow_runs.map((run) => [run.check_suite_id ?? {}, run]))
  } catch (error) {
    if (statusOf(error) === 404 || isHidden(error)) return new Map()
    throw error
  }
}

function outcomeOf({ status, conclusion }: CheckRun): Outcome {
  if (status === 'completed') return outcomes.get(conclusion) ?? 'unknown'
  return underWay.includes(status) ? 'pending' : 'unknown'
}

interface Result {
  name?: string | null | undefined
  outcome: Outcome
}

function summarize(results: Result[], total: number): Checks {
  const named = (wanted: Outcome) =>
    namesOf(results.flatMap(({ name, outcome }) => (outcome === wanted && name ? name : [])))
  return {
    state: heaviest(results.map(({ outcome }) => outcome)),
    failed: named('failure'),
    neutral: named('neutral'),
    skipped: named('skipped'),
    total,
  }
}

const heaviest = (said: string[]) => byWeight.find((each) => said.includes(each)) ?? 'none'

function namesOf(names: string[]): string[] {
  return [...new Set(names.map(asName))].slice(0, mostNames)
}
