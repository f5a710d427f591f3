import { z } from 'zod'
import type { PullRequestFacts } from '../../lifecycle/pull-requests/pull-request-facts.ts'
import { compareWithDefault } from './comparison.ts'
import { RepositoryError } from './error.ts'
import { parseBody, undefinedIfMissing } from './failures.ts'
import { type Host, hostSha, repositoryIdAt } from './host.ts'
import type { RepositoryReference } from './maintainers.ts'

/** A pull request that is open or was merged, or a branch, with what shows whose work it is. */
export interface Work extends Pick<PullRequestFacts, 'head_ref' | 'head_sha' | 'opened_at' | 'merged_at'> {
  /** Number of the pull request; null for a branch. */
  number: number | null
  /** Name of the repository's default branch, where the host has said it. */
  base: string | undefined
}

/** Most pull requests that are looked through, 100 a page. */
export const mostPages = 10
const perPage = 100
/** Most commits that are compared at once to find work. */
export const mostCompared = 10

const Pulls = z.array(
  z.object({
    number: z.int(),
    state: z.enum(['open', 'closed']),
    created_at: z.iso.datetime({ offset: true }).nullish(),
    updated_at: z.iso.datetime({ offset: true }),
    head: z.object({ ref: z.string(), sha: hostSha }),
    base: z.object({ repo: z.object({ id: z.int(), default_branch: z.string().optional() }) }),
    merged_at: z.iso.datetime({ offset: true }).nullish(),
  }),
)
const Changed = z.object({ changed_files: z.int() })
const Refs = z.array(z.object({ ref: z.string(), object: z.object({ sha: hostSha }) }))

/** Clocks may differ by so much, in ms. */
const toleranceMs = 300_000

/**
 * What agents have worked on in a repository since a moment: pull requests that are open or were merged, those that changed last first,
 * and where agents push to the repository itself, branches below their ids. One that has only got the repository's name has none.
 * What cannot be read, also for a moment, is unknown: that is an error, never an empty list. What lies behind the last page is not looked at:
 * anybody can open a thousand pull requests, and no review waits for that.
 */
export async function readWork(
  host: Host,
  repository: RepositoryReference,
  { since, pages }: { since: Date; pages: number },
): Promise<Work[]> {
  const pulls = await listPulls(host, repository, since.getTime() - toleranceMs, pages)
  return host.hasBranches ? [...pulls, ...(await listBranches(host, repository))] : pulls
}

async function listPulls(
  { octokit, request }: Host,
  { owner, repository: repo, id }: RepositoryReference,
  since: number,
  pages: number,
): Promise<Work[]> {
  const at = { owner, repo, state: 'all', sort: 'updated', direction: 'desc', per_page: perPage } as const
  const readPage = async (page: number) => {
    const listed = await octokit.rest.pulls.list({ ...at, page, request: { ...request } })
    const pulls = parseBody(Pulls, listed.data)
    // Another repository may have the name by now.
    if (id !== null && pulls.some(({ base }) => base.repo.id !== id)) throw new RepositoryError('unavailable')
    const recent = pulls.filter(({ updated_at }) => Date.parse(updated_at) >= since)
    // A host may leave something out of a page and go on all the same.
    const goesOn = pulls.length === perPage || listed.headers.link?.includes('rel="next"')
    return { recent, isLast: recent.length < pulls.length || !goesOn }
  }
  const found: z.infer<typeof Pulls> = []
  let page = 0
  for (let isLast = false; !isLast && page < pages; ) {
    const read = await readPage(++page)
    found.push(...read.recent)
    isLast = read.isLast
  }
  // What has changed meanwhile may have moved from a page that was not read yet to the first one.
  const again = page > 1 ? (await readPage(1)).recent : []
  const isKnown = (pull: (typeof found)[number]) =>
    found.some(({ number, updated_at }) => number === pull.number && updated_at === pull.updated_at)
  found.push(...again.filter((pull) => !isKnown(pull)))
  // An empty list does not say of which repository it is.
  const isOurs =
    found.length > 0 ||
    id === null ||
    (await repositoryIdAt({ octokit, request }, { owner, repository: repo })) === id
  if (!isOurs) throw new RepositoryError('unavailable')
  return found
    .filter(({ state, merged_at }) => state === 'open' || merged_at)
    .map(({ number, head, base, created_at, merged_at }) => ({
      number,
      head_ref: head.ref,
      head_sha: head.sha,
      base: base.repo.default_branch,
      opened_at: created_at ? new Date(created_at) : null,
      merged_at: merged_at ? new Date(merged_at) : null,
    }))
}

async function listBranches({ octokit, request }: Host, { owner, repository: repo }: RepositoryReference) {
  const listed = await octokit.rest.git.listMatchingRefs({
    owner,
    repo,
    ref: 'heads/agent_',
    request: { ...request },
  })
  return parseBody(Refs, listed.data).map(({ ref, object }) => ({
    number: null,
    head_ref: ref.replace('refs/heads/', ''),
    head_sha: object.sha,
    opened_at: null,
    merged_at: null,
    base: undefined,
  }))
}

/** Whether a pull request changes files, where the host does not compare its commit, or not yet. @throws RepositoryError */
async function changesFiles(
  { octokit, request }: Host,
  { owner, repository: repo }: RepositoryReference,
  { number }: Work,
): Promise<boolean> {
  if (number === null) return false
  const at = { owner, repo, pull_number: number, request: { ...request } }
  const found = await octokit.rest.pulls.get(at).catch(undefinedIfMissing)
  if (!found) throw new RepositoryError('unavailable')
  return parseBody(Changed, found.data).changed_files > 0
}

/** What was looked for, and the commits on the way that change nothing. */
export interface Change {
  work: Work | undefined
  unchanged: string[]
}

/**
 * The first work that was merged, or whose commit the default branch does not have and that changes files. Looks at up to
 * {@link mostCompared} of them.
 */
export async function firstChange(
  host: Host,
  repository: RepositoryReference,
  works: Work[],
): Promise<Change> {
  const unchanged: string[] = []
  for (const work of works.slice(0, mostCompared)) {
    if (work.merged_at) return { work, unchanged }
    const compared = await compareWithDefault(host, repository, work.head_sha, work.base)
    const isNew =
      !compared?.isContained && (compared?.changesFiles ?? (await changesFiles(host, repository, work)))
    if (isNew) return { work, unchanged }
    if (compared) unchanged.push(work.head_sha)
  }
  return { work: undefined, unchanged }
}
