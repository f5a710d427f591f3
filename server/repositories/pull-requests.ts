import { z } from 'zod'
import { type Checks, combine, type KnownChecks, readChecks } from './checks.ts'
import { type Comparison, compareWithDefault, isItsOwn } from './comparison.ts'
import { RepositoryError } from './error.ts'
import { parseBody, statusOf, undefinedIfMissing } from './failures.ts'
import { type Host, hostSha, mostLagMs, type PullRequestAddress } from './host.ts'
import { asName } from './naming.ts'

/** What the host reports about a pull request, by the columns that hold it. */
export interface PullRequestFacts {
  state: 'open' | 'closed'
  draft: boolean
  /** Whether it was merged into the default branch, or that has the commit that was submitted. */
  merged: boolean
  /** When it was merged, by the host's clock, or when that commit was found; null if it is not merged, or the host does not say. */
  merged_at: Date | null
  /** Whether it was merged, and nothing else may have brought its commits to the default branch. */
  merged_by_itself: boolean
  /** Id of the account that merged it; null if it is not merged, or the host does not say. */
  merged_by_id: number | null
  /** The commit that merged it; null if it is not merged, or the host does not say. */
  merge_commit_sha: string | null
  /** Its newest commit. */
  head_sha: string
  /** The branch that it is to be merged into. */
  base_ref: string
  /** Whether that is the default branch, or was seen to be it, or what was merged into it has come to the default branch. */
  into_default: boolean
  /** When it was opened, by the host's clock; null if that does not say. */
  opened_at: Date | null
  /** When it changed last, by the host's clock. */
  changed_at: Date
  /** Id and name of the account that opened it; null if that was deleted. */
  author_id: number | null
  author_login: string | null
  /** The name of its branch, which says whose work it is: no host changes that of a pull request. */
  head_ref: string
  additions: number
  deletions: number
  changed_files: number
  /** Null while the host has not found out. */
  mergeable: boolean | null
}

/** An earlier reading, so that the host sends only what has changed since. */
export interface KnownReading {
  /** Id of the repository that it will be merged into. It outlives new names and owners. */
  repositoryId: number
  facts: PullRequestFacts
  cache: ReadingCache
}

/** What to keep of a reading for the next one, beside its facts. A JSON object. */
export interface ReadingCache extends KnownChecks {
  /** Entity tag of the pull request. */
  pull?: string
  /** Name of the repository's default branch. */
  base?: string
}

/** A pull request with the checks of its newest commit. */
export interface PullRequestReading extends KnownReading {
  checks: Checks
  /** Whether it is not merged, and the default branch has its newest commit all the same. Nothing in it is new then. */
  isEmpty: boolean
}

const count = z
  .number()
  .int()
  .nonnegative()
  .transform((value) => Math.min(value, 2 ** 31 - 1))

const PullRequest = z.object({
  number: z.number(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().default(false),
  merged: z.boolean(),
  merged_at: z.iso.datetime({ offset: true }).nullish(),
  merged_by: z.object({ id: z.int() }).nullish(),
  merge_commit_sha: hostSha.nullish(),
  head: z.object({ ref: z.string(), sha: hostSha }),
  base: z.object({
    ref: z.string().min(1),
    repo: z.object({ id: z.int(), default_branch: z.string().min(1) }),
  }),
  created_at: z.iso.datetime({ offset: true }).nullish(),
  updated_at: z.iso.datetime({ offset: true }),
  user: z.object({ id: z.int(), login: z.string().min(1) }).nullish(),
  additions: count,
  deletions: count,
  changed_files: count,
  mergeable: z.boolean().nullish(),
})

/** What was read or submitted before. */
export interface Before {
  known?: KnownReading | undefined
  /** The commit that was submitted or paid. The default branch did not have it then, so it was merged if it has it now. */
  submitted?: SeenCommit | null | undefined
  /** What was seen to be the default branch before: who changes that cannot unmake a merge. */
  defaultBranches?: readonly string[]
  /** Whether a commit was seen first as the work of the pull request; undefined if that is not known. */
  isOriginal?: (
    sha: string,
    facts: Pick<PullRequestFacts, 'head_ref' | 'author_id'>,
  ) => Promise<boolean | undefined>
  /** Reads commits that were paid for other pull requests of the project, where they matter: `sha` if it was, and the last ones. */
  readPaid?: (sha: string) => Promise<readonly PaidSha[]>
}

/** A commit that was paid, and whether to the agent whose work the pull request may be. */
export interface PaidSha {
  sha: string
  isOwn: boolean
}

/** A commit, and when this service saw it first; null if that is not known. */
export interface SeenCommit {
  sha: string
  seenAt: Date | null
}

/**
 * Reads a pull request, whether it is in the default branch, and the checks of its newest commit: four requests, sometimes five. With a
 * token the host charges nothing for what has not changed since `known`; an App's credentials change every hour, and the tags with them.
 * @returns undefined if the host has no such pull request
 */
export async function readPullRequest(
  host: Host,
  address: PullRequestAddress,
  before: Before = {},
): Promise<PullRequestReading | undefined> {
  const { known, defaultBranches = [] } = before
  const pull = await readPull(host, address, known, defaultBranches)
  if (!pull) return undefined
  const { facts, cache } = pull
  const isSettled = facts.merged && facts.merged_by_itself
  const merge = isSettled
    ? { facts, isEmpty: false }
    : await readMerge(host, address, facts, { ...before, base: cache.base })
  const parts = await readChecks(host, address, merge.facts.head_sha, known?.cache)
  return { ...pull, ...merge, checks: combine(parts), cache: { ...cache, ...parts } }
}

async function readPull(
  host: Host,
  address: PullRequestAddress,
  known: KnownReading | undefined,
  defaultBranches: readonly string[],
): Promise<KnownReading | undefined> {
  const { octokit, request } = host
  const { owner, repository: repo, number } = address
  // The host finds out later whether it can be merged, and may not change the tag for that. A merge may come before its commit.
  const before = known?.facts
  const isSettled = before?.merged ? before.merged_by_itself : before?.state === 'closed' || before?.mergeable
  const etag = isSettled ? known?.cache.pull : undefined
  const headers = etag === undefined ? {} : { 'if-none-match': etag }
  try {
    const found = await octokit.rest.pulls
      .get({ owner, repo, pull_number: number, headers, request: { ...request } })
      .catch(undefinedIfMissing)
    const pull = found && parseBody(PullRequest, found.data)
    if (pull?.number !== number) return undefined
    const { id, default_branch: base } = pull.base.repo
    const { etag: pullTag } = found?.headers ?? {}
    const cache = { base, ...(pullTag !== undefined && { pull: pullTag }) }
    const intoDefault =
      [base, ...defaultBranches].includes(pull.base.ref) || (await hasCome(host, address, pull))
    return { repositoryId: id, facts: toFacts(pull, intoDefault), cache }
  } catch (error) {
    if (statusOf(error) === 304 && known && etag !== undefined) {
      const { base } = known.cache
      return { ...known, cache: { pull: etag, ...(base !== undefined && { base }) } }
    }
    throw error
  }
}

/** Whether what was merged into another branch is in the default branch now. */
async function hasCome(
  host: Host,
  address: PullRequestAddress,
  { merged, merged_at, merge_commit_sha, base }: z.infer<typeof PullRequest>,
): Promise<boolean> {
  if (!merged || !merge_commit_sha) return false
  const compared = await compareWithDefault(host, address, merge_commit_sha, base.repo.default_branch)
  if (!compared && merged_at && isRecent(new Date(merged_at))) throw new RepositoryError('unavailable')
  return compared?.isContained === true
}

/** What was known before, and the name of the default branch. */
interface BeforeMerge extends Pick<Before, 'submitted' | 'isOriginal' | 'readPaid'> {
  base: string | undefined
}

/**
 * Whether the commits of a pull request are in the default branch, and whether they came there by themselves. A squash and a rebase
 * make new commits; otherwise the branch has the pull request's own, also after a push that the host does not call a merge.
 */
async function readMerge(
  host: Host,
  address: PullRequestAddress,
  facts: PullRequestFacts,
  before: BeforeMerge,
): Promise<{ facts: PullRequestFacts; isEmpty: boolean }> {
  const { submitted, base } = before
  const sha = facts.merged ? facts.head_sha : (submitted?.sha ?? facts.head_sha)
  const find = async (commit: string) => {
    // A branch that was the default one and has another name now is not found.
    const branches = new Set([facts.into_default ? facts.base_ref : base, base])
    let compared: Comparison | undefined
    for (const branch of branches) compared ??= await compareWithDefault(host, address, commit, branch)
    return compared
  }
  const compared = await find(sha)
  if (!compared && facts.merged && isRecent(facts.merged_at)) throw new RepositoryError('unavailable')
  if (!compared || (!facts.merged && !compared.isContained)) return { facts, isEmpty: false }
  if (!facts.merged && !submitted) return { facts, isEmpty: true }
  const isContained = async (commit: string) => commit === sha || (await find(commit))?.isContained === true
  const merged_by_itself = compared.isContained
    ? await isBroughtByItself(host, address, facts, { ...before, sha, isContained })
    : !(await wasPaidFor(sha, before))
  if (facts.merged) return { facts: { ...facts, merged_by_itself }, isEmpty: false }
  // This process's clock may be behind that of the database.
  const seenAt = submitted?.sha === sha ? submitted.seenAt?.getTime() : undefined
  const merged_at = new Date(Math.max(Date.now(), seenAt ?? 0))
  const merge = { state: 'closed', merged: true, merged_at, mergeable: null } as const
  return { facts: { ...facts, ...merge, merged_by_itself, head_sha: sha }, isEmpty: false }
}

/** Whether the agent whose work it may be was paid for the commit already. Others may have been paid for a copy. */
const wasPaidFor = async (sha: string, { readPaid }: Pick<Before, 'readPaid'>): Promise<boolean> =>
  ((await readPaid?.(sha)) ?? []).some((paid) => paid.sha === sha && paid.isOwn)

/**
 * Whether a commit that the default branch has is there as the pull request's work. Anybody can copy a commit, and whoever may merge
 * can push to the branch of another: what counts is where the newest commit, or the one that was submitted, was seen first. Where no
 * webhook has said that, the host's interface has to do.
 */
async function isBroughtByItself(
  host: Host,
  address: PullRequestAddress,
  facts: PullRequestFacts,
  {
    sha,
    submitted,
    isContained,
    ...before
  }: BeforeMerge & { sha: string; isContained: (commit: string) => Promise<boolean> },
): Promise<boolean> {
  // A branch that was set back to a commit of the default branch is contained, too, and changes nothing.
  if (facts.merged && facts.changed_files === 0) return false
  if (await wasPaidFor(sha, before)) return false
  const isOriginal = await before.isOriginal?.(sha, facts)
  if (isOriginal) return true
  if (submitted && (await before.isOriginal?.(submitted.sha, facts)) && (await isContained(submitted.sha)))
    return true
  if (isOriginal === false) return false
  const paid = ((await before.readPaid?.(sha)) ?? []).map((one) => one.sha)
  const author = { id: facts.author_id, login: facts.author_login }
  const seenAt = submitted?.sha === sha ? submitted.seenAt : null
  return !paid.includes(sha) && isItsOwn(host, address, { sha, author, seenAt, paid })
}

/** A host that has merged a commit may not have it everywhere yet. What it lacks later is gone. */
const isRecent = (moment: Date | null): boolean =>
  moment !== null && Date.now() - moment.getTime() < mostLagMs

function toFacts(pull: z.infer<typeof PullRequest>, into_default: boolean): PullRequestFacts {
  const { draft, additions, deletions, changed_files, user, base } = pull
  // What another branch has got is not in the default branch.
  const merged = pull.merged && into_default
  return {
    ...{ merged, draft, additions, deletions, changed_files, into_default, base_ref: base.ref },
    opened_at: pull.created_at ? new Date(pull.created_at) : null,
    changed_at: new Date(pull.updated_at),
    state: pull.merged ? 'closed' : pull.state,
    merged_at: merged && pull.merged_at ? new Date(pull.merged_at) : null,
    merged_by_itself: false,
    merged_by_id: (merged && pull.merged_by?.id) || null,
    // While it is open, this is a commit that tries whether it can be merged.
    merge_commit_sha: (merged && pull.merge_commit_sha) || null,
    head_ref: pull.head.ref,
    head_sha: pull.head.sha,
    author_id: user?.id ?? null,
    author_login: user ? asName(user.login) : null,
    mergeable: pull.mergeable ?? null,
  }
}
