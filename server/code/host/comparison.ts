import pLimit from 'p-limit'
import { z } from 'zod'
import { limitSignal } from '../../config/time-limit.ts'
import { isWorkOf, ownerOf } from '../../lifecycle/pull-requests/attribution.ts'
import { RepositoryError } from './error.ts'
import { isUnknownOutcome, parseBody, secondsLimited, statusOf, undefinedIfMissing } from './failures.ts'
import { type Host, isRecent, type PullRequestAddress } from './host.ts'

/** Where a repository is. */
type RepositoryAddress = Pick<PullRequestAddress, 'owner' | 'repository'>

/** How a commit stands to the default branch. */
export interface Comparison {
  /** Whether the default branch has the commit. */
  isContained: boolean
  /** Whether anything differs in the files since the commit left the default branch; undefined where the host does not finish the list. */
  changesFiles: boolean | undefined
}

/** Most comparisons of a reading with what was paid, and how many are made at once: it has to wait for all of them. */
export const mostPaidCompared = 20
const comparedAtOnce = 4

const Repository = z.object({ default_branch: z.string().min(1) })
const Compared = z.object({
  status: z.enum(['ahead', 'behind', 'identical', 'diverged']),
  files: z.array(z.unknown()).default([]),
})

/** The request that compares a commit with a branch, by default with the default one; undefined if there is no repository. */
async function comparisonWith(
  { octokit, request }: Host,
  { owner, repository: repo }: RepositoryAddress,
  head: string,
  base: string | undefined,
) {
  const at = { owner, repo, request: { ...request } }
  const found = base === undefined ? await octokit.rest.repos.get(at).catch(undefinedIfMissing) : undefined
  const branch = base ?? (found && parseBody(Repository, found.data).default_branch)
  return branch === undefined ? undefined : { ...at, basehead: `${branch}...${head}`, per_page: 1 }
}

/** The page of a comparison without files: they are on the first page alone. */
const withoutFiles = { page: 2 }

/**
 * Whether a branch, by default the default one, has a commit: one request, and one more where the name of that branch is not known.
 * @returns undefined if the host does not have the commit, or it has no history in common with the branch
 */
export async function isContained(
  host: Host,
  address: RepositoryAddress,
  head: string,
  base: string | undefined,
): Promise<boolean | undefined> {
  const commits = await comparisonWith(host, address, head, base)
  const { compareCommitsWithBasehead: compare } = host.octokit.rest.repos
  const compared = commits && (await compare({ ...commits, ...withoutFiles }).catch(undefinedIfMissing))
  return compared && toComparison(compared.data).isContained
}

/**
 * {@link isContained}, and whether files differ. GitHub fails each time where it takes too long to list the files: then the page without them
 * is asked for.
 */
export async function compareWithDefault(
  host: Host,
  address: RepositoryAddress,
  head: string,
  base: string | undefined,
): Promise<Comparison | undefined> {
  const commits = await comparisonWith(host, address, head, base)
  if (!commits) return undefined
  const { octokit, request } = host
  const { compareCommitsWithBasehead: compare } = octokit.rest.repos
  const signal = limitSignal((request.deadline - Date.now()) / 2, request.signal)
  try {
    const first = await compare({ ...commits, request: { ...request, signal, retries: 0 } }).catch(
      undefinedIfMissing,
    )
    return first && toComparison(first.data)
  } catch (error) {
    if (!isUnknownOutcome(error)) throw error
    const second = await compare({ ...commits, ...withoutFiles }).catch(() => {
      throw error
    })
    return { ...toComparison(second.data), changesFiles: undefined }
  }
}

/**
 * Those of the commits that the default branch has. One that the host cannot compare, or not within half of the time, is left out; files are
 * not asked for, which it may fail to list.
 */
export async function containedInDefault(
  { octokit, request }: Host,
  { owner, repository: repo }: RepositoryAddress,
  heads: readonly string[],
): Promise<string[]> {
  if (heads.length === 0) return []
  const { data } = await octokit.rest.repos.get({ owner, repo, request: { ...request } })
  const { default_branch: base } = parseBody(Repository, data)
  const signal = limitSignal((request.deadline - Date.now()) / 2, request.signal)
  const once = { ...request, signal, retries: 0 }
  const contained = await pLimit(comparedAtOnce).map(heads, async (head) => {
    try {
      return await isContained({ octokit, request: once }, { owner, repository: repo }, head, base)
    } catch (error) {
      // Neither a limit of the host nor a missing permission says anything of the commit.
      if (statusOf(error) !== 404 && (!isUnknownOutcome(error) || secondsLimited(error) !== undefined))
        throw error
      return false
    }
  })
  return heads.filter((_, index) => contained[index])
}

function toComparison(body: unknown): Comparison {
  const { status, files } = parseBody(Compared, body)
  return { isContained: status === 'behind' || status === 'identical', changesFiles: files.length > 0 }
}

const Pulls = z.array(
  z.object({
    number: z.int(),
    user: z.object({ id: z.int() }).nullish(),
    created_at: z.iso.datetime({ offset: true }),
    merged_at: z.string().nullish(),
    head: z
      .object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.int() }).nullish() })
      .optional(),
    base: z.object({ repo: z.object({ id: z.int() }).nullable() }).optional(),
  }),
)
/** Pages of pull requests with a commit that are looked at. */
const mostPages = 3
const perPage = 100
const Refs = z.array(z.object({ ref: z.string(), object: z.object({ sha: z.string() }) }))
const Commits = z.array(
  z.object({
    author: z.object({ id: z.int().default(0), login: z.string().default('') }).nullish(),
    parents: z.array(z.unknown()).default([]),
  }),
)
const isMerge = ({ parents }: z.infer<typeof Commits>[number]) => parents.length > 1
const Permission = z.object({ permission: z.string() })

/** A commit of a pull request, which the default branch has. */
export interface BroughtCommit {
  sha: string
  /** The name of the branch that the pull request comes from. */
  headRef: string
  /** The name of the branch that has it now. */
  baseRef: string | undefined
  /** Id of the repository that the pull request is merged into. */
  repositoryId: number
  /** The account that has opened the pull request from its own fork or branch; without an id, pull requests of every account are another's. */
  author: { id: number | null; login: string | null }
  /** The accounts that may have written it: who has opened the pull request, and the owner of its fork. */
  openedBy: readonly (number | null)[]
  /** When this service saw the commit first; null: another pull request with it counts whenever it was opened. */
  seenAt: Date | null
  /** When the pull request was merged; null if the host has not merged it. */
  mergedAt: Date | null
  /** Commits that were paid for other pull requests of the project. */
  paid: readonly string[]
}

/**
 * Whether a commit that came to the default branch is the pull request's alone. Anybody can open one with commits of others, and the
 * host does not say by which of the two they came. The commit is not its own in these cases:
 * another pull request that was merged before has it, since that one can undo what this one does; one push merges all that have it, so
 * what was opened after the commit was first seen has to be merged earlier. One of its author for the same bounty with nothing behind the
 * commit is no other one, nor is one from the branch that it was merged into;
 * another account had it in a pull request or a branch when it was first seen;
 * another account that may write here is its author, or where it is a merge that of the newest commit below it that is none: a branch may have
 * had it before. Any other author says nothing: agents share identities;
 * it was paid for another bounty already;
 * there are more pull requests with it, or paid commits, than are looked at.
 * @throws RepositoryError `unavailable` where the host's list of them is older than the merge of this one
 */
export async function isItsOwn(
  { octokit, request, hasBranches }: Host,
  address: PullRequestAddress,
  commit: BroughtCommit,
): Promise<boolean> {
  const { owner, repository: repo } = address
  const at = { owner, repo, request: { ...request } }
  const { sha, author, seenAt, mergedAt } = commit
  const { agent, bounty } = ownerOf({ head_ref: commit.headRef })
  if (commit.paid.length > mostPaidCompared) return false
  const [withCommit, refs] = await Promise.all([
    pullsWith({ octokit, request }, address, commit),
    hasBranches &&
      octokit.rest.git.listMatchingRefs({ ...at, ref: 'heads/agent_' }).catch(undefinedIfMissing),
  ])
  // Who did not have it when this one was merged has not brought it.
  const had = seenAt ?? mergedAt
  const isOthersPull = ({ number, user, head, created_at, merged_at }: z.infer<typeof Pulls>[number]) => {
    if (number === address.number) return false
    const isSame =
      head?.sha === sha &&
      user?.id === author.id &&
      isWorkOf({ head_ref: head.ref }, agent ?? '', bounty ?? '')
    // What it was merged into has its commits by that.
    const isOfBase = head?.ref === commit.baseRef && head?.repo?.id === commit.repositoryId
    if (isSame || isOfBase) return false
    if (had !== null && isLater(created_at, had))
      return merged_at != null && mergedAt !== null && isLater(mergedAt, new Date(merged_at))
    return user?.id !== author.id || (merged_at != null && !isAfter(merged_at, mergedAt))
  }
  const isOthersBranch = ({ ref, object }: z.infer<typeof Refs>[number]) =>
    object.sha === sha && ref.split('/')[2] !== author.login
  if (!withCommit || withCommit.some(isOthersPull)) return false
  if (refs && parseBody(Refs, refs.data).some(isOthersBranch)) return false
  const isListed = withCommit.some(({ number }) => number === address.number)
  if (!isListed && isRecent(commit.mergedAt)) throw new RepositoryError('unavailable')
  if (!hasBranches && (await isOfWriter({ octokit, request }, address, commit))) return false
  const inPaid = await pLimit(comparedAtOnce).map(commit.paid, (base) =>
    isContained({ octokit, request }, address, sha, base),
  )
  return !inPaid.includes(true)
}

async function isOfWriter(
  { octokit, request }: Host,
  { owner, repository: repo, number }: PullRequestAddress,
  { sha, openedBy }: BroughtCommit,
): Promise<boolean> {
  const at = { owner, repo, request: { ...request } }
  const { data } = await octokit.rest.repos.listCommits({ ...at, sha, per_page: 1 })
  const [newest] = parseBody(Commits, data)
  // Who merges the base into its branch, as GitHub's button does, leaves the work whose it is.
  const commits =
    newest && isMerge(newest)
      ? await octokit.rest.pulls.listCommits({ ...at, pull_number: number, per_page: perPage })
      : undefined
  const listed = commits ? parseBody(Commits, commits.data) : []
  const written = listed.length < perPage ? listed.findLast((commit) => !isMerge(commit)) : undefined
  const writer = (written ?? newest)?.author
  if (!writer?.login || openedBy.includes(writer.id)) return false
  const held = await octokit.rest.repos
    .getCollaboratorPermissionLevel({ ...at, username: writer.login })
    .catch(undefinedIfMissing)
  return held !== undefined && ['admin', 'write'].includes(parseBody(Permission, held.data).permission)
}

/**
 * The pull requests with a commit; undefined where there are more than are looked at. GitHub also lists those of forks, which have the
 * commits of a repository from one of its branches, and numbers of their own; and leaves hidden ones out of a page.
 */
async function pullsWith(
  { octokit, request }: Host,
  { owner, repository: repo }: RepositoryAddress,
  { sha: commit_sha, repositoryId }: BroughtCommit,
): Promise<z.infer<typeof Pulls> | undefined> {
  const at = { owner, repo, commit_sha, per_page: perPage, request: { ...request } }
  const found: z.infer<typeof Pulls> = []
  for (let page = 1; page <= mostPages; page++) {
    const listed = await octokit.rest.repos.listPullRequestsAssociatedWithCommit({ ...at, page })
    const pulls = parseBody(Pulls, listed.data)
    found.push(...pulls.filter(({ base }) => !base || base.repo?.id === repositoryId))
    const goesOn = pulls.length === perPage || listed.headers.link?.includes('rel="next"')
    if (!goesOn) return found
  }
  return undefined
}

/** The clocks of the host and of the database may differ by so much, and a push takes so long to merge what has its commits, in ms. */
const toleranceMs = 60_000

const isLater = (moment: string | Date, other: Date) =>
  new Date(moment).getTime() > other.getTime() + toleranceMs

/** Both are of the host's clock. */
const isAfter = (merged: string, mergedAt: Date | null) =>
  mergedAt !== null && Date.parse(merged) > mergedAt.getTime()
