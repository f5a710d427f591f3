import type { Octokit } from '@octokit/rest'
import { z } from 'zod'
import { type Checks, combine, type KnownChecks, readChecks } from './checks.ts'
import type { Budget } from './client.ts'
import { parseBody, statusOf, undefinedIfMissing } from './failures.ts'
import { asName } from './naming.ts'
import type { PullRequestReference } from './pull-request-url.ts'

/** What the host reports about a pull request, by the columns that hold it. */
export interface PullRequestFacts {
  state: 'open' | 'closed'
  draft: boolean
  merged: boolean
  /** When it was merged, by the host's clock; null if it is not merged, or the host does not say. */
  merged_at: Date | null
  /** Whether it was merged, and did not only come along with the commits of another one. */
  merged_by_itself: boolean
  /** Id of the account that merged it; null if it is not merged, or the host does not say. */
  merged_by_id: number | null
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
  /** Id of the repository that it will be merged into. It outlives new names and owners. */
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

/** Where a pull request is. */
export type PullRequestAddress = Pick<PullRequestReference, 'owner' | 'repository' | 'number'>

/** The code host, within the budget of a call. */
export interface Host {
  octokit: Octokit
  request: Budget
}

const mostNamedIds = 20
/** Most characters of a description that are read; GitHub allows about as many. */
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
  merged_at: z.iso.datetime({ offset: true }).nullish(),
  merged_by: z.object({ id: z.int() }).nullish(),
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

const Commit = z.object({
  parents: z.array(z.object({ sha: hostSha })),
  commit: z.object({ message: z.string() }),
})

/**
 * Reads a pull request and the checks of its newest commit: three requests, and one more for its merge. With a token the host charges nothing for
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
    const { etag: pullTag } = found?.headers ?? {}
    const cache = pullTag === undefined ? {} : { pull: pullTag }
    const isOfItself = pull.merged && (await isMergedByItself({ octokit, request }, { owner, repo }, pull))
    const facts = { ...toFacts(pull), merged_by_itself: isOfItself }
    return { repositoryId: pull.base.repo.id, facts, cache }
  } catch (error) {
    if (statusOf(error) === 304 && known && etag !== undefined) return { ...known, cache: { pull: etag } }
    throw error
  }
}

/**
 * Whether a merged pull request was merged by itself. The host also calls merged what came to the branch with another pull
 * request, and anybody can open one of the other's commits. A squash makes a new commit, and so does a rebase; the message that
 * the host proposes for a merge names the pull request first.
 */
async function isMergedByItself(
  { octokit, request }: Host,
  repository: { owner: string; repo: string },
  { number, head, merge_commit_sha: ref }: z.infer<typeof PullRequest>,
): Promise<boolean> {
  if (!ref) return false
  const found = await octokit.rest.repos
    .getCommit({ ...repository, ref, per_page: 1, request: { ...request } })
    .catch(undefinedIfMissing)
  if (!found) return false
  const { parents, commit } = parseBody(Commit, found.data)
  return parents.length > 1 ? commit.message.startsWith(`Merge pull request #${number} `) : ref !== head.sha
}

function toFacts(pull: z.infer<typeof PullRequest>): Omit<PullRequestFacts, 'merged_by_itself'> {
  const { merged, draft, additions, deletions, changed_files, user } = pull
  return {
    ...{ merged, draft, additions, deletions, changed_files },
    state: merged ? 'closed' : pull.state,
    merged_at: merged && pull.merged_at ? new Date(pull.merged_at) : null,
    merged_by_id: (merged && pull.merged_by?.id) || null,
    // While it is open, this is a commit that tries whether it can be merged.
    merge_commit_sha: (merged && pull.merge_commit_sha) || null,
    head_sha: pull.head.sha,
    author_id: user?.id ?? null,
    author_login: user ? asName(user.login) : null,
    named_ids: idsNamedIn(pull.body),
    mergeable: pull.mergeable ?? null,
  }
}

/** Ids of bounties and agents in a description. */
export function idsNamedIn(description: string | null | undefined): string[] {
  const text = (description ?? '').slice(0, readCharacters)
  return [...idsIn(text, 'agent'), ...idsIn(text, 'bnt')].slice(0, mostNamedIds)
}

/**
 * The agents or bounties that a description names: those in lines as the template has them (`Agent: agent_…`), since a text
 * may mention others too; without such a line all that it mentions.
 */
function idsIn(text: string, prefix: 'agent' | 'bnt'): string[] {
  const id = `(?<![0-9A-Za-z_])${prefix}_[0-9a-z]{20}(?![0-9A-Za-z_])`
  const line = `^[^0-9A-Za-z\\n]*${prefix === 'agent' ? '[Aa]gent' : '[Bb]ounty'}[^0-9A-Za-z\\n]*(${id})`
  const inLines = [...text.matchAll(new RegExp(line, 'gm'))].map(([, named]) => named as string)
  const ids = inLines.length > 0 ? inLines : (text.match(new RegExp(id, 'g')) ?? [])
  return [...new Set(ids)]
}
