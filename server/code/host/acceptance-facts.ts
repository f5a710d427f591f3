import { z } from 'zod'
import { type AcceptanceRule, type CheckState, mostFiles, type Poster } from '../../lifecycle/acceptance.ts'
import type { PullRequestFacts } from '../../lifecycle/pull-requests/pull-request-facts.ts'
import { RepositoryError } from './error.ts'
import { parseBody } from './failures.ts'
import { type Host, hostSha, type PullRequestAddress } from './host.ts'
import type { RepositoryReference } from './maintainers.ts'
import { asName } from './naming.ts'
import { readPull } from './pull-requests.ts'

const perPage = 100
/** Most pages of a list that are read. Anybody causes events: each account that a comment mentions is one or two. */
const mostPages = 10
const name = z.string().min(1)
const Run = z.object({
  id: z.int(),
  name,
  head_sha: hostSha,
  status: z.string(),
  conclusion: z.string().nullish(),
  completed_at: z.string().nullish(),
  app: z.object({ id: z.int(), slug: z.string().nullish() }).nullish(),
  check_suite: z.object({ id: z.int() }).nullish(),
})
const Runs = z.object({ total_count: z.int(), check_runs: z.array(Run) })
const creator = z.object({ id: z.int(), login: name }).nullish()
/** In milliseconds; unknown where the host does not say it, which is not after anything. */
const created_at = z
  .string()
  .nullish()
  .transform((at) => Date.parse(at ?? ''))
const Statuses = z.array(z.object({ id: z.int(), context: name, state: z.string(), creator, created_at }))
const Suites = z.object({ check_suites: z.array(z.object({ id: z.int(), created_at })) })
const File = z.object({ filename: name, previous_filename: name.nullish() })
const Compared = z.object({ files: z.array(File) })
const Listed = z.array(File.transform((file) => ({ ...file, id: file.filename })))
const Events = z.array(z.object({ id: z.int(), event: z.string(), created_at }))
const Repository = z.object({ id: z.int(), default_branch: name })

/** Events that change the base, and those of what a pull request may have been for a while. */
const moves = /^(base_ref_changed|automatic_base_change_succeeded)$/
const passes = /^(closed|reopened|convert_to_draft|ready_for_review|head_ref_.*)$/

/**
 * Reads everything that decides whether a rule holds, with nothing taken from before: five requests, and one more for every hundred of a list,
 * where the base was changed, and where it has part of the commits by now.
 * What a commit changes is asked for by its hash, since the pull request may get another one meanwhile.
 * @returns undefined if the host has no such pull request
 * @throws RepositoryError also where the host leaves something out, or does not know yet whether the pull request can be merged
 */
export async function readRuled(host: Host, address: PullRequestAddress, rule: AcceptanceRule) {
  const found = await readPull(host, address, undefined)
  if (!found) return undefined
  const { facts: pull, repositoryId, cache } = found
  if (pull.state === 'open' && pull.mergeable === null) throw new RepositoryError('unavailable')
  const { owner, repository: repo, number } = address
  const at = { owner, repo, per_page: perPage, request: { ...host.request } }
  const { repos } = host.octokit.rest
  const basehead = `${cache.base}...${pull.head_sha}`
  const [compared, events, lists] = await Promise.all([
    repos.compareCommitsWithBasehead({ ...at, basehead, per_page: 1 }),
    readAll((page) => host.octokit.rest.issues.listEvents({ ...at, page, issue_number: number }), Events),
    readLists(host, address, pull.head_sha),
  ])
  const posted = postedOf(lists)
  const { files } = parseBody(Compared, compared.data)
  // What goes elsewhere is counted against that branch, and what is too large is cut: both are refused whatever they change.
  const isCounted = pull.into_default && pull.changed_files <= mostFiles
  const isOther = isCounted && files.length !== pull.changed_files
  const changed = isOther ? [...files, ...(await readOtherFiles(host, address, pull, files.length))] : files
  const ofRule = rule.checks.map((check) => posted.filter((one) => isSame(one, check)))
  const moved = events.filter(({ event }) => moves.test(event)).map((event) => event.created_at)
  const since =
    moved.length > 0
      ? await begunSince(host, address, pull.head_sha, { ...lists, moment: Math.max(...moved) })
      : posted
  return {
    repositoryId,
    pull,
    wasMoved: moved.length > 0 && !rule.checks.every((check) => since.some((one) => isSame(one, check))),
    paths: changed.flatMap((file) => [file.filename, file.previous_filename ?? file.filename]),
    checks: ofRule.map((runs) => together(runs.map(({ state }) => state))),
    /** Differs where a check was repeated. The host promises no order. */
    mark: ofRule.flatMap((runs) => runs.map(({ mark }) => mark).sort()).join(' '),
    /** The newest event by which the pull request was something else for a while. */
    passed: events.findLast(({ event }) => passes.test(event))?.id ?? null,
    newest: { check_run: highest(lists.runs), status: highest(lists.statuses) } satisfies NewestChecks,
  }
}

/**
 * The files of a pull request that the host counts against where it left its base when it got its newest commit. The base has got part of
 * its commits otherwise since, or lost some.
 * @param compared how many differ from the base now
 */
async function readOtherFiles(
  { octokit, request }: Host,
  { owner, repository: repo, number }: PullRequestAddress,
  { changed_files }: Pick<PullRequestFacts, 'changed_files'>,
  compared: number,
) {
  const at = { owner, repo, pull_number: number, per_page: perPage, request: { ...request } }
  const files = await readAll((page) => octokit.rest.pulls.listFiles({ ...at, page }), Listed)
  const isWhole = files.length === changed_files && compared > 0 && compared < mostFiles
  if (!isWhole) throw new RepositoryError('unavailable')
  return files
}

/**
 * What was posted and began after a moment. Of a check run its suite has to: a run that is repeated stays in its suite, and runs what its first
 * event was about.
 */
async function begunSince(
  { octokit, request }: Host,
  { owner, repository: repo }: PullRequestAddress,
  ref: string,
  { runs, statuses, moment }: Awaited<ReturnType<typeof readLists>> & { moment: number },
): Promise<PostedCheck[]> {
  const at = { owner, repo, ref, per_page: perPage, request: { ...request } }
  const suites = await readAll(
    (page) => octokit.rest.checks.listSuitesForRef({ ...at, page }),
    Suites.transform(({ check_suites }) => check_suites),
  )
  const isLater = (one: { created_at: number }) => one.created_at > moment
  const later = new Set(suites.filter(isLater).map(({ id }) => id))
  return postedOf({
    runs: runs.filter(({ check_suite }) => check_suite && later.has(check_suite.id)),
    statuses: statuses.filter(isLater),
  })
}

/** The highest id of a check run and of a status that the host lists for a commit; 0 for none. */
export interface NewestChecks {
  check_run: number
  status: number
}

const highest = (rows: readonly { id: number }[]) => Math.max(0, ...rows.map(({ id }) => id))

/**
 * Reads what was posted about the newest commit of the default branch: three requests, and one more for every hundred of a list.
 * @throws RepositoryError also if the repository is another one by now
 */
export async function readDefaultChecks(host: Host, repository: RepositoryReference): Promise<PostedCheck[]> {
  const at = { owner: repository.owner, repo: repository.repository, request: { ...host.request } }
  const { id, default_branch } = parseBody(Repository, (await host.octokit.rest.repos.get(at)).data)
  if (id !== (repository.id ?? id)) throw new RepositoryError('unavailable')
  return postedOf(await readLists(host, repository, `heads/${default_branch}`))
}

/** Whether it is the check of that name, by the same app or account. */
const isSame = (one: PostedCheck, { name, posted_by }: AcceptanceRule['checks'][number]) =>
  isNamed(one, name) && isSamePoster(one.posted_by, posted_by)

/** Whether it is the same app or account, by whatever name. */
export const isSamePoster = (one: Poster, other: Poster) => one.kind === other.kind && one.id === other.id

/** Whether a check has this name. The code host takes the contexts of statuses without regard to letter case. */
export const isNamed = ({ name, posted_by }: PostedCheck, wanted: string) =>
  name === wanted || (posted_by.kind === 'account' && isSameContext(name, wanted))

const isSameContext = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** All newest runs count, and not the best one. */
const together = (states: CheckState[]): CheckState =>
  (['failure', 'pending', 'success'] as const).find((state) => states.includes(state)) ?? 'missing'

/** The check runs and statuses of a commit, or of the newest one of a branch. */
async function readLists(
  { octokit, request }: Host,
  { owner, repository: repo }: Pick<RepositoryReference, 'owner' | 'repository'>,
  ref: string,
) {
  const at = { owner, repo, ref, per_page: perPage, request: { ...request } }
  let total = 0
  const [runs, statuses] = await Promise.all([
    readAll(
      (page) => octokit.rest.checks.listForRef({ ...at, page, filter: 'latest' }),
      Runs.transform(({ total_count, check_runs }) => {
        total = total_count
        return check_runs
      }),
    ),
    readAll((page) => octokit.rest.repos.listCommitStatusesForRef({ ...at, page }), Statuses),
  ])
  // A cache may mix commits up.
  const isMixed = runs.some(({ head_sha }) => !ref.startsWith('heads/') && head_sha !== ref)
  if (runs.length !== total || isMixed) throw new RepositoryError('unavailable')
  return { runs, statuses }
}

/** What they say. One of which the host does not say who posted it counts for nobody. */
function postedOf({ runs, statuses }: Awaited<ReturnType<typeof readLists>>): PostedCheck[] {
  const ofApps = runs.flatMap(({ id, name, app, status, conclusion, completed_at }) => {
    const said = status === 'completed' ? conclusion : 'pending'
    return app ? posted(name, 'app', { id: app.id, name: app.slug }, said, `${id}@${completed_at}`) : []
  })
  const newest = statuses.filter((one) => !statuses.some((other) => replaces(other, one)))
  const ofAccounts = newest.flatMap(({ id, context, state, creator }) =>
    creator ? posted(context, 'account', { id: creator.id, name: creator.login }, state, `${id}`) : [],
  )
  return [...ofApps, ...ofAccounts]
}

type PostedCheck = ReturnType<typeof posted>

/** What one app or account says of a commit by a newest run of a check, or by its newest status of that name. @param mark of a repeated run another */
function posted(
  name: string,
  kind: Poster['kind'],
  by: { id: number; name: string | null | undefined },
  said: string | null | undefined,
  mark: string,
) {
  const state: CheckState = said === 'success' || said === 'pending' ? said : 'failure'
  return { name, posted_by: { kind, id: by.id, name: asName(by.name ?? '') }, state, mark }
}

type Status = z.infer<typeof Statuses>[number]
const replaces = (other: Status, one: Status) =>
  isSameContext(other.context, one.context) && other.creator?.id === one.creator?.id && other.id > one.id

/** All rows of a list, each once: they may move to another page meanwhile. @throws RepositoryError if there are more than are read */
async function readAll<Row extends { id: number | string }>(
  request: (page: number) => Promise<{ data: unknown; headers: { link?: string | undefined } }>,
  schema: z.ZodType<Row[]>,
): Promise<Row[]> {
  const found = new Map<Row['id'], Row>()
  for (let page = 1; page <= mostPages; page++) {
    const { data, headers } = await request(page)
    const rows = parseBody(schema, data)
    for (const row of rows) found.set(row.id, row)
    if (rows.length < perPage && !headers.link?.includes('rel="next"')) return [...found.values()]
  }
  throw new RepositoryError('unavailable')
}
