import { z } from 'zod'
import type { PullRequestFacts } from '../../lifecycle/pull-requests/pull-request-facts.ts'
import { type Checks, combine, type KnownChecks, readChecks } from './checks.ts'
import { isContained, isItsOwn } from './comparison.ts'
import { RepositoryError } from './error.ts'
import { parseBody, statusOf, toRepositoryError, undefinedIfMissing } from './failures.ts'
import { type Host, hostSha, isRecent, type PullRequestAddress } from './host.ts'
import { asName } from './naming.ts'

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
  /** A commit that came after the one that was submitted, and that the default branch did not have. */
  outside?: string
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

/** What the host shows in place of every account that was deleted is nobody. */
const unlessGhost = <Account extends { login?: string | undefined }>(shown: Account | null | undefined) =>
  shown?.login === 'ghost' ? null : shown
const account = z
  .object({ id: z.int(), login: z.string().min(1) })
  .nullish()
  .transform(unlessGhost)
const PullRequest = z.object({
  number: z.number(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().default(false),
  merged: z.boolean(),
  merged_at: z.iso.datetime({ offset: true }).nullish(),
  merged_by: z.object({ id: z.int(), login: z.string().optional() }).nullish().transform(unlessGhost),
  merge_commit_sha: hostSha.nullish(),
  head: z.object({
    ref: z.string(),
    sha: hostSha,
    user: account,
    repo: z.object({ id: z.int() }).nullish(),
  }),
  base: z.object({
    ref: z.string().min(1),
    repo: z.object({ id: z.int(), default_branch: z.string().min(1) }),
  }),
  created_at: z.iso.datetime({ offset: true }).nullish(),
  updated_at: z.iso.datetime({ offset: true }),
  user: account,
  additions: count,
  deletions: count,
  changed_files: count,
  mergeable: z.boolean().nullish(),
})

/** What a webhook has said of a merge, as JSON has it. */
export interface ReportedMerge {
  merged_at: string
  merged_by_id: number
  merge_commit_sha: string
  head_sha: string
}

/** What was read or submitted before. */
export interface Before {
  known?: KnownReading | undefined
  /** The merge of what the host hides; with it and what is known the pull request is read as if it were shown. */
  reported?: ReportedMerge
  /** Whether an earlier reading has found that it was merged by itself, where nothing else of that reading is to be used. */
  wasByItself?: boolean | undefined
  /** The commit that was submitted or paid. The default branch did not have it then, so it was merged if it has it now. */
  submitted?: SeenCommit | null | undefined
  /** Whether whose the merged commits are decides nothing: then the host need not say it, or its list may be older than the merge. */
  mayLag?: boolean
  /** Whether only a merge is looked for, so that something else may be decided. */
  onlyMerge?: boolean
  /** Reads commits that were paid for other pull requests of the project, where they matter: `sha` if it was or merged one, and the newest. */
  readPaid?: (sha: string) => Promise<readonly PaidSha[]>
}

/** A commit that was paid, or that merged what was, and whether to the agent whose work the pull request may be. */
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
  const { known, submitted = null, mayLag = false, readPaid = async () => [] } = before
  const pull = (await readPull(host, address, known)) ?? hiddenMerge(before)
  if (!pull && before.onlyMerge && (await hasCome(host, address, before)))
    throw new RepositoryError('unavailable')
  if (!pull) return undefined
  const { facts, cache } = pull
  const isSettled = facts.merged && facts.merged_by_itself
  const place = await placeOfNewest(host, address, pull, { known, submitted })
  const brought = place === 'came' ? { sha: facts.head_sha, seenAt: null } : submitted
  const merge = isSettled
    ? { facts, isEmpty: false }
    : await readMerge(host, address, facts, {
        submitted: brought,
        mayLag,
        readPaid,
        repositoryId: pull.repositoryId,
        base: cache.base,
        wasByItself: before.wasByItself ?? known?.facts.merged_by_itself,
        isHidden: before.reported !== undefined,
      })
  const parts = await readChecks(host, address, merge.facts.head_sha, known?.cache)
  const outside = place === 'outside' ? facts.head_sha : known?.cache.outside
  const found = { ...cache, ...parts, ...(outside !== undefined && { outside }) }
  return { ...pull, ...merge, checks: combine(parts), cache: found }
}

/**
 * Whether the default branch lacks the newest commit, or has got it since an earlier reading, where another one was submitted: undefined
 * where it has one that was not seen before. The branch of the pull request may have been set back to it.
 */
async function placeOfNewest(
  host: Host,
  address: PullRequestAddress,
  { facts: { merged, head_sha }, cache: { base } }: KnownReading,
  { known, submitted }: Pick<Before, 'known' | 'submitted'>,
): Promise<'outside' | 'came' | undefined> {
  if (merged || !submitted || submitted.sha === head_sha) return undefined
  const isThere = await isContained(host, address, head_sha, base)
  if (isThere === false) return 'outside'
  return isThere && known?.cache.outside === head_sha ? 'came' : undefined
}

function hiddenMerge({ known, reported }: Before): KnownReading | undefined {
  if (!known || !reported) return undefined
  const merge = { ...reported, merged_at: new Date(reported.merged_at), merged_by_itself: false }
  return { ...known, facts: { ...known.facts, ...merge, merged: true, state: 'closed', mergeable: null } }
}

/** Whether the default branch has got a commit of a pull request that the host hides, for example because who may write there wants it so. */
async function hasCome(host: Host, address: PullRequestAddress, { known, submitted }: Before) {
  if (!known || known.facts.merged) return false
  for (const sha of [submitted?.sha, known.cache.outside])
    if (sha !== undefined && (await isContained(host, address, sha, known.cache.base))) return true
  return false
}

/** A pull request as the host shows it by itself. @returns undefined if it has none of this number */
export async function readPull(
  { octokit, request }: Host,
  { owner, repository: repo, number }: PullRequestAddress,
  known: KnownReading | undefined,
): Promise<KnownReading | undefined> {
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
    if (!pull) return undefined
    // A cache may mix responses up, and a merge may be a moment old.
    if (pull.number !== number || pull.merged !== Boolean(pull.merged_at))
      throw new RepositoryError('unavailable')
    const { id, default_branch: base } = pull.base.repo
    const { etag: pullTag } = found?.headers ?? {}
    const cache = { base, ...(pullTag !== undefined && { pull: pullTag }) }
    return { repositoryId: id, facts: toFacts(pull), cache }
  } catch (error) {
    if (statusOf(error) === 304 && known && etag !== undefined) {
      const { base } = known.cache
      return { ...known, cache: { pull: etag, ...(base !== undefined && { base }) } }
    }
    throw error
  }
}

/**
 * Whether the commits of a pull request were merged, or are in the default branch, and whether they came there by themselves. A squash
 * and a rebase make new commits; otherwise the branch has the pull request's own, also after a push that the host does not call a merge.
 */
async function readMerge(
  host: Host,
  address: PullRequestAddress,
  facts: PullRequestFacts,
  {
    submitted,
    mayLag,
    readPaid,
    repositoryId,
    base,
    wasByItself,
    isHidden,
  }: Required<Pick<Before, 'mayLag' | 'readPaid'>> & {
    submitted: SeenCommit | null
    repositoryId: number
    base: string | undefined
    wasByItself: boolean | undefined
    isHidden: boolean
  },
): Promise<{ facts: PullRequestFacts; isEmpty: boolean }> {
  const sha = facts.merged ? facts.head_sha : (submitted?.sha ?? facts.head_sha)
  // What merged it has what came as it is, into whichever branch, and outlives the branch.
  const into = facts.merged ? (facts.merge_commit_sha ?? facts.base_ref) : base
  const isThere = await isContained(host, address, sha, into)
  if (isThere === undefined && facts.merged && (isHidden ? !wasByItself : isRecent(facts.merged_at)))
    throw new RepositoryError('unavailable')
  // What was found out before stays where it cannot be found out again.
  if (isThere === undefined && facts.merged && wasByItself)
    return { facts: { ...facts, merged_by_itself: true }, isEmpty: false }
  if (isThere === undefined || (!facts.merged && !isThere)) return { facts, isEmpty: false }
  if (!facts.merged && submitted === null) return { facts, isEmpty: true }
  const seenAt = submitted?.sha === sha ? submitted.seenAt : null
  // A branch that was set back to a commit of the one that it goes into is contained, too, and changes nothing.
  const hasWork = !facts.merged || facts.changed_files > 0
  // Who opens a pull request from the fork of another may do so for several accounts.
  const isSole = (facts.fork_owner_id ?? facts.author_id) === facts.author_id
  const author = { id: isSole ? facts.author_id : null, login: facts.author_login }
  const paid = await readPaid(sha)
  // What the host has merged by a new commit is this one's, also where others were paid for a copy.
  const wasPaid = paid.some((one) => one.sha === sha && (one.isOwn || isThere))
  const isOwn = () =>
    isItsOwn(host, address, {
      sha,
      headRef: facts.head_ref,
      baseRef: facts.merged ? facts.base_ref : base,
      repositoryId,
      author,
      openedBy: [facts.author_id, facts.fork_owner_id],
      seenAt,
      mergedAt: facts.merged_at,
      paid: paid.map((one) => one.sha),
    }).catch((error) => {
      if (!mayLag || !toRepositoryError(error)) throw error
      return wasByItself === true
    })
  const merged_by_itself = hasWork && !wasPaid && (!isThere || (await isOwn()))
  if (facts.merged) return { facts: { ...facts, merged_by_itself }, isEmpty: false }
  // This process's clock may be behind that of the database.
  const merged_at = new Date(Math.max(Date.now(), seenAt?.getTime() ?? 0))
  const merge = { state: 'closed', merged: true, merged_at, mergeable: null } as const
  return { facts: { ...facts, ...merge, merged_by_itself, head_sha: sha }, isEmpty: false }
}

function toFacts(pull: z.infer<typeof PullRequest>): PullRequestFacts {
  const { draft, additions, deletions, changed_files, head, base } = pull
  const into_default = base.ref === base.repo.default_branch
  // A merge takes the work, whichever branch it goes into: a base and the default branch can be changed before it and after.
  const { merged } = pull
  return {
    merged,
    draft,
    additions,
    deletions,
    changed_files,
    into_default,
    base_ref: base.ref,
    opened_at: pull.created_at ? new Date(pull.created_at) : null,
    changed_at: new Date(pull.updated_at),
    state: merged ? 'closed' : pull.state,
    merged_at: merged && pull.merged_at ? new Date(pull.merged_at) : null,
    merged_by_itself: false,
    merged_by_id: (merged && pull.merged_by?.id) || null,
    // While it is open, this is a commit that tries whether it can be merged.
    merge_commit_sha: (merged && pull.merge_commit_sha) || null,
    head_ref: head.ref,
    head_sha: head.sha,
    author_id: pull.user?.id ?? null,
    author_login: pull.user ? asName(pull.user.login) : null,
    // An account that may write here can open a pull request from anybody's fork, and an App opens them for others.
    fork_owner_id: (head.repo?.id !== base.repo.id && head.user?.id) || null,
    mergeable: pull.mergeable ?? null,
  }
}
