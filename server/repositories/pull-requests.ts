import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { type Checks, combine, type KnownChecks, readChecks } from './checks.ts'
import type { Budget } from './client.ts'
import { RepositoryError } from './error.ts'
import { parseBody, statusOf, toRepositoryError, undefinedIfMissing } from './failures.ts'
import { asName } from './naming.ts'
import type { PullRequestReference } from './pull-request-url.ts'

/** What the host reports about a pull request. */
export interface PullRequestFacts {
  /** Id of the repository that it is to be merged into. It outlives new names and owners. */
  repositoryId: number
  state: 'open' | 'closed'
  draft: boolean
  merged: boolean
  /** The commit that merged it; null if it is not merged. */
  mergeCommitSha: string | null
  /** Its newest commit. */
  headSha: string
  /** The account that opened it; null if that was deleted. */
  author: { id: number; login: string } | null
  /** Ids of bounties and agents in its description, at most 20. */
  namedIds: string[]
  additions: number
  deletions: number
  changedFiles: number
  /** Null while the host has not found out. */
  mergeable: boolean | null
}

/** An earlier reading, so that the host sends only what has changed since. */
export interface KnownReading {
  facts: PullRequestFacts
  cache: ReadingCache
}

/** What to keep of a reading for the next one, beside its facts. A JSON object. */
export interface ReadingCache extends KnownChecks {
  /** Entity tag of the pull request. */
  pull?: string
}

/** A pull request with the checks of its newest commit. */
export interface PullRequestReading extends KnownReading {
  checks: Checks
}

/** How a merge ended: the merging commit, or why the host refused. */
export type MergeOutcome =
  | { mergeCommitSha: string }
  | { refused: 'not_mergeable' | 'head_changed' | 'not_allowed'; status: number }

/** Where a pull request is. */
export type PullRequestAddress = Pick<PullRequestReference, 'owner' | 'repository' | 'number'>

interface Host {
  octokit: Octokit
  request: Budget
}

const mostNamedIds = 20
/** Of a description; GitHub allows about as many. */
const readCharacters = 262_144
const sha = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)
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
  merge_commit_sha: sha.nullish(),
  body: z.string().nullish(),
  head: z.object({ sha }),
  base: z.object({ repo: z.object({ id: z.int() }) }),
  user: z.object({ id: z.int(), login: z.string().min(1) }).nullish(),
  additions: count,
  deletions: count,
  changed_files: count,
  mergeable: z.boolean().nullish(),
})
const Merged = z.object({ merged: z.literal(true), sha })

/**
 * Reads a pull request without its checks: one request.
 * @param known what the host need not send again
 * @returns undefined if the host has no such pull request
 */
export async function readPull(
  { octokit, request }: Host,
  { owner, repository: repo, number }: PullRequestAddress,
  known?: KnownReading,
): Promise<{ facts: PullRequestFacts; etag?: string | undefined } | undefined> {
  // The host finds out later whether it can be merged, and may not change the tag for that.
  const etag = isUndecided(known) ? undefined : known?.cache.pull
  const headers = etag === undefined ? {} : { 'if-none-match': etag }
  try {
    const found = await octokit.rest.pulls
      .get({ owner, repo, pull_number: number, headers, request: { ...request } })
      .catch(undefinedIfMissing)
    const pull = found && parseBody(PullRequest, found.data)
    return pull?.number === number ? { facts: toFacts(pull), etag: found?.headers.etag } : undefined
  } catch (error) {
    if (statusOf(error) === 304 && known && etag !== undefined) return { facts: known.facts, etag }
    throw error
  }
}

function isUndecided(known: KnownReading | undefined): boolean {
  return known?.facts.state === 'open' && known.facts.mergeable === null
}

/** Reads a pull request and the checks of its newest commit: three requests, which cost no quota if nothing has changed. */
export async function readPullRequest(
  host: Host,
  address: PullRequestAddress,
  known?: KnownReading,
): Promise<PullRequestReading | undefined> {
  const pull = await readPull(host, address, known)
  if (!pull) return undefined
  const { facts, etag } = pull
  const parts = await readChecks(host, address, facts.headSha, known?.cache)
  return { facts, checks: combine(parts), cache: { ...(etag && { pull: etag }), ...parts } }
}

function toFacts(pull: z.infer<typeof PullRequest>): PullRequestFacts {
  const { merged, merge_commit_sha: mergeCommitSha = null } = pull
  // While it is open, this is a commit that tries whether it can be merged.
  if (merged && !mergeCommitSha) throw new RepositoryError('unavailable')
  const text = (pull.body ?? '').slice(0, readCharacters)
  const namedIds = new Set(text.match(/(?<![0-9A-Za-z_])(?:bnt|agent)_[0-9a-z]{20}(?![0-9A-Za-z_])/g))
  return {
    repositoryId: pull.base.repo.id,
    state: merged ? 'closed' : pull.state,
    draft: pull.draft,
    merged,
    mergeCommitSha: merged ? mergeCommitSha : null,
    headSha: pull.head.sha,
    author: pull.user ? { id: pull.user.id, login: asName(pull.user.login) } : null,
    namedIds: [...namedIds].slice(0, mostNamedIds),
    additions: pull.additions,
    deletions: pull.deletions,
    changedFiles: pull.changed_files,
    mergeable: pull.mergeable ?? null,
  }
}

/**
 * Merges exactly the commit `headSha`, as one commit. Sent once: after a RepositoryError it may have taken effect.
 * @param commit what the commit says; `title` in one line
 */
export async function merge(
  { octokit, request }: Host,
  { owner, repository: repo, number }: PullRequestAddress,
  { headSha, title, message }: { headSha: string; title: string; message: string },
): Promise<MergeOutcome> {
  try {
    const { data } = await octokit.rest.pulls.merge({
      ...{ owner, repo, pull_number: number, sha: headSha, merge_method: 'squash' },
      ...{ commit_title: title, commit_message: message },
      request: { ...request, retries: 0 },
    })
    return { mergeCommitSha: parseBody(Merged, data).sha }
  } catch (error) {
    const refused = refusalOf(error)
    if (refused) return refused
    throw error
  }
}

function refusalOf(error: unknown): MergeOutcome | undefined {
  const status = statusOf(error)
  const kind = toRepositoryError(error)?.kind
  if (status === undefined || status === 401 || !kind || kind === 'unavailable') return undefined
  if (status === 405) return { refused: 'not_mergeable', status }
  return { refused: status === 409 ? 'head_changed' : 'not_allowed', status }
}
