import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import type { Budget } from './client.ts'
import { parseBody, statusOf, toRepositoryError } from './failures.ts'
import { asName } from './naming.ts'

/** What the checks and statuses of a commit say together. */
export interface Checks {
  state: 'none' | 'pending' | 'success' | 'failure'
  /** Names of those that failed, at most 20, each of at most 100 characters. Other agents choose them. */
  failed: string[]
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

const mostFailed = 20
const perPage = 100
const mostPages = 3
const passed = ['success', 'neutral', 'skipped']

const CheckRuns = z.object({
  total_count: z.number(),
  check_runs: z.array(z.object({ name: z.string(), status: z.string(), conclusion: z.string().nullish() })),
})
const Statuses = z.object({
  state: z.enum(['failure', 'pending', 'success', 'error']),
  total_count: z.number(),
  statuses: z.array(z.object({ context: z.string(), state: z.string() })),
})

/** Reads the check runs and the statuses of a commit. A host that has none, or shows us none, reports `none`. */
export async function readChecks(
  { octokit, request }: { octokit: Octokit; request: Budget },
  { owner, repository: repo }: { owner: string; repository: string },
  head: string,
  known: KnownChecks = {},
): Promise<Required<KnownChecks>> {
  const at = { owner, repo, ref: head, per_page: perPage, request: { ...request } }
  const before = known.head === head ? known : {}
  const [runs, statuses] = await Promise.all([
    readPart(before.runs, summarizeRuns, (headers) => listRuns(octokit, at, headers)),
    readPart(before.statuses, summarizeStatuses, (headers) =>
      octokit.rest.repos.getCombinedStatusForRef({ ...at, headers }),
    ),
  ])
  return { head, runs, statuses }
}

/** The first pages of check runs. The tag is that of one page, so that of several pages is none. */
async function listRuns(
  octokit: Octokit,
  at: Parameters<Octokit['rest']['checks']['listForRef']>[0] & object,
  headers: Record<string, string>,
) {
  const first = await octokit.rest.checks.listForRef({ ...at, filter: 'latest', headers })
  const data = parseBody(CheckRuns, first.data)
  const pages = Math.min(mostPages, Math.ceil(data.total_count / perPage))
  for (let page = 2; page <= pages; page++) {
    const next = await octokit.rest.checks.listForRef({ ...at, filter: 'latest', page })
    data.check_runs.push(...parseBody(CheckRuns, next.data).check_runs)
  }
  return { data, headers: pages > 1 ? {} : first.headers }
}

/** Both parts as one. */
export function combine({ runs, statuses }: Required<KnownChecks>): Checks {
  const states = [runs.state, statuses.state]
  const state = (['failure', 'pending', 'success'] as const).find((each) => states.includes(each)) ?? 'none'
  return { state, failed: [...runs.failed, ...statuses.failed].slice(0, mostFailed) }
}

async function readPart(
  known: ChecksPart | undefined,
  summarize: (body: unknown) => Checks,
  send: (headers: Record<string, string>) => Promise<{ data: unknown; headers: { etag?: string } }>,
): Promise<ChecksPart> {
  try {
    const { data, headers } = await send(known?.etag ? { 'if-none-match': known.etag } : {})
    return { ...summarize(data), ...(headers.etag && { etag: headers.etag }) }
  } catch (error) {
    const status = statusOf(error)
    if (status === 304 && known) return known
    const none = { state: 'none' as const, failed: [] }
    // The host may be older, the commit may be in a fork that was deleted.
    if (status === 404 || status === 422) return none
    // The credentials lack the permission, or have lost it: that says nothing about the commit.
    const isHidden = status === 403 || status === 410
    if (isHidden && toRepositoryError(error)?.kind !== 'unavailable') return known ?? none
    throw error
  }
}

/** Runs that are on none of the pages count as pending. */
function summarizeRuns(body: unknown): Checks {
  const { total_count, check_runs } = parseBody(CheckRuns, body)
  const completed = check_runs.filter(({ status }) => status === 'completed')
  const failed = completed.filter(({ conclusion }) => !passed.includes(conclusion ?? ''))
  if (failed.length > 0) return { state: 'failure', failed: namesOf(failed.map(({ name }) => name)) }
  if (completed.length < Math.max(check_runs.length, total_count)) return { state: 'pending', failed: [] }
  return { state: check_runs.length > 0 ? 'success' : 'none', failed: [] }
}

function summarizeStatuses(body: unknown): Checks {
  const { state, total_count, statuses } = parseBody(Statuses, body)
  if (total_count === 0) return { state: 'none', failed: [] } // GitHub says `pending`
  if (state === 'pending' || state === 'success') return { state, failed: [] }
  const failed = statuses.filter((each) => each.state === 'failure' || each.state === 'error')
  return { state: 'failure', failed: namesOf(failed.map(({ context }) => context)) }
}

function namesOf(names: string[]): string[] {
  return [...new Set(names.map(asName))].slice(0, mostFailed)
}
