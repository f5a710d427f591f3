import { setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '@octokit/request-error'
import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { type Checks, combine, type KnownChecks, readChecks } from './checks.ts'
import type { Budget } from './client.ts'
import { RepositoryError } from './error.ts'
import { parseBody, statusOf, toRepositoryError, undefinedIfMissing } from './failures.ts'
import { asName } from './naming.ts'
import type { PullRequestReference } from './pull-request-url.ts'

/** What the host reports about a pull request, by the columns that hold it. */
export interface PullRequestFacts {
  state: 'open' | 'closed'
  draft: boolean
  merged: boolean
  /** The commit that merged it; null if it is not merged, or the host does not say. */
  merge_commit_sha: string | null
  /** Its newest commit. */
  head_sha: string
  /** Id and name of the account that opened it; null if that was deleted. */
  author_id: number | null
  author_login: string | null
  /** Ids of bounties and agents in its description, at most 20. */
  named_ids: string[]
  additions: number
  deletions: number
  changed_files: number
  /** Null while the host has not found out. */
  mergeable: boolean | null
}

/** An earlier reading, so that the host sends only what has changed since. */
export interface KnownReading {
  /** Id of the repository that it is to be merged into. It outlives new names and owners. */
  repositoryId: number
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
  | { refused: 'not_mergeable' | 'head_changed' | 'not_allowed'; status: number; reason: string }

/** Where a pull request is. */
export type PullRequestAddress = Pick<PullRequestReference, 'owner' | 'repository' | 'number'>

interface Host {
  octokit: Octokit
  request: Budget
}

const mostNamedIds = 20
/** Of a description; GitHub allows about as many. */
const readCharacters = 262_144
/** The full hash of a commit, as the host writes it. */
export const hostSha = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)
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
  merge_commit_sha: hostSha.nullish(),
  body: z.string().nullish(),
  head: z.object({ sha: hostSha }),
  base: z.object({ repo: z.object({ id: z.int() }) }),
  user: z.object({ id: z.int(), login: z.string().min(1) }).nullish(),
  additions: count,
  deletions: count,
  changed_files: count,
  mergeable: z.boolean().nullish(),
})
/** What GitHub says (405) while it is still busy with another merge. The next attempt may succeed. */
const isBusy = /base branch was modified|merge already in progress/i
const busyMs = 1000
const Merged = z.object({ merged: z.literal(true), sha: hostSha })

/**
 * Reads a pull request and the checks of its newest commit: three requests. With a token the host charges nothing for
 * what has not changed since `known`; an App's credentials change every hour, and the tags with them.
 * @returns undefined if the host has no such pull request
 */
export async function readPullRequest(
  host: Host,
  address: PullRequestAddress,
  known?: KnownReading,
): Promise<PullRequestReading | undefined> {
  const pull = await readPull(host, address, known)
  if (!pull) return undefined
  const parts = await readChecks(host, address, pull.facts.head_sha, known?.cache)
  return { ...pull, checks: combine(parts), cache: { ...pull.cache, ...parts } }
}

async function readPull(
  { octokit, request }: Host,
  { owner, repository: repo, number }: PullRequestAddress,
  known?: KnownReading,
): Promise<KnownReading | undefined> {
  // The host finds out later whether it can be merged, and may not change the tag for that.
  const isSettled = known?.facts.state === 'closed' || known?.facts.mergeable
  const etag = isSettled ? known?.cache.pull : undefined
  const headers = etag === undefined ? {} : { 'if-none-match': etag }
  try {
    const found = await octokit.rest.pulls
      .get({ owner, repo, pull_number: number, headers, request: { ...request } })
      .catch(undefinedIfMissing)
    const pull = found && parseBody(PullRequest, found.data)
    if (pull?.number !== number) return undefined
    const { etag: pullTag } = found?.headers ?? {}
    const cache = pullTag === undefined ? {} : { pull: pullTag }
    return { repositoryId: pull.base.repo.id, facts: toFacts(pull), cache }
  } catch (error) {
    if (statusOf(error) === 304 && known && etag !== undefined) return { ...known, cache: { pull: etag } }
    throw error
  }
}

function toFacts(pull: z.infer<typeof PullRequest>): PullRequestFacts {
  const { merged, draft, additions, deletions, changed_files, user } = pull
  const text = (pull.body ?? '').slice(0, readCharacters)
  const namedIds = new Set(text.match(/(?<![0-9A-Za-z_])(?:bnt|agent)_[0-9a-z]{20}(?![0-9A-Za-z_])/g))
  return {
    ...{ merged, draft, additions, deletions, changed_files },
    state: merged ? 'closed' : pull.state,
    // While it is open, this is a commit that tries whether it can be merged.
    merge_commit_sha: (merged && pull.merge_commit_sha) || null,
    head_sha: pull.head.sha,
    author_id: user?.id ?? null,
    author_login: user ? asName(user.login) : null,
    named_ids: [...namedIds].slice(0, mostNamedIds),
    mergeable: pull.mergeable ?? null,
  }
}

/**
 * Merges exactly the commit `headSha`, as one commit. Sent once, and a second time if the host is still busy with another
 * merge: after a RepositoryError it may have taken effect.
 * @param commit what the commit says; `title` in one line
 */
export async function merge(
  host: Host,
  address: PullRequestAddress,
  commit: { headSha: string; title: string; message: string },
  isRepeated = false,
): Promise<MergeOutcome> {
  const { octokit, request } = host
  const { owner, repository: repo, number } = address
  try {
    const { data } = await octokit.rest.pulls.merge({
      ...{ owner, repo, pull_number: number, sha: commit.headSha, merge_method: 'squash' },
      ...{ commit_title: commit.title, commit_message: commit.message },
      request: { ...request, retries: 0 },
    })
    return { mergeCommitSha: parseBody(Merged, data).sha }
  } catch (error) {
    const refused = refusalOf(error)
    if (!refused) throw error
    if (refused !== 'busy') return refused
    if (isRepeated) throw new RepositoryError('unavailable')
    await sleep(busyMs, undefined, { signal: request.signal })
    return merge(host, address, commit, true)
  }
}

function refusalOf(error: unknown): MergeOutcome | 'busy' | undefined {
  const status = statusOf(error)
  const kind = toRepositoryError(error)?.kind
  if (!(error instanceof RequestError) || status === undefined || status === 401) return undefined
  if (!kind || kind === 'unavailable') return undefined
  if (status === 405 && isBusy.test(error.message)) return 'busy'
  // "Squash merges are not allowed on this repository."
  const isNotYet = status === 405 && !/merges are not allowed/i.test(error.message)
  const refused = isNotYet ? 'not_mergeable' : status === 409 ? 'head_changed' : 'not_allowed'
  return { refused, status, reason: asName(error.message) }
}
