import { setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '@octokit/request-error'
import { z } from 'zod'
import { RepositoryError } from './error.ts'
import { isLogin, parseBody, statusOf, toRepositoryError, undefinedIfMissing } from './failures.ts'
import { type Host, hostSha, type PullRequestAddress } from './host.ts'
import { asName } from './naming.ts'

/** How a merge ended: the merging commit, which is null if the commit was in the branch already, or why the host refused. */
export type MergeOutcome = { mergeCommitSha: string | null } | Refused

interface Refused {
  refused:
    | 'busy'
    | 'queue_required'
    | 'review_required'
    | 'not_mergeable'
    | 'unexplained'
    | 'head_changed'
    | 'not_allowed'
  status: number
  reason: string
}

/** What is merged, and what the merging commit says; `title` in one line. */
export interface CommitToMerge {
  headSha: string
  title: string
  message: string
  /** Id that the host gave the repository; without it, whichever has the name. */
  repositoryId?: number | null
}

/** Rules that are in the way, as GitHub names them, with 405. */
const rules = [
  // The next attempt may succeed.
  ['busy', /base branch was modified|merge already in progress/i],
  ['queue_required', /merge queue/i],
  ['review_required', /\breview/i],
  // "Squash merges are not allowed on this repository."
  ['not_allowed', /merges are not allowed/i],
  // Also said of one that is merged, while the host goes on showing it as open.
  ['unexplained', /^pull request is not mergeable$/i],
] as const
const busyMs = 1000
const Merged = z.object({ merged: z.literal(true), sha: hostSha })
const MergeCommit = z.object({ sha: hostSha })
const Repository = z.object({ id: z.int(), default_branch: z.string().min(1) })

/**
 * Merges exactly the commit `headSha`, as one commit. Sent once, and a second time if the host is still busy with another
 * merge: after a RepositoryError it may have taken effect.
 */
export async function merge(
  host: Host,
  address: PullRequestAddress,
  commit: CommitToMerge,
  isRepeated = false,
): Promise<MergeOutcome> {
  const { octokit, request } = host
  const { owner, repository: repo, number } = address
  try {
    const { data } = await octokit.rest.pulls.merge({
      owner,
      repo,
      pull_number: number,
      sha: commit.headSha,
      merge_method: 'squash',
      commit_title: commit.title,
      commit_message: commit.message,
      request: { ...request, retries: 0 },
    })
    return { mergeCommitSha: parseBody(Merged, data).sha }
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    if (refusal.refused !== 'busy' || isRepeated) return refusal
    await sleep(busyMs, undefined, { signal: request.signal })
    return merge(host, address, commit, true)
  }
}

/** Why the host refused a merge; undefined where it did not, or refuses everything. */
function refusalOf(error: unknown): Refused | undefined {
  const status = statusOf(error)
  const kind = toRepositoryError(error)?.kind ?? 'unavailable'
  if (!(error instanceof RequestError) || status === undefined || status === 401 || isLogin(error))
    return undefined
  if (kind === 'unavailable' || kind === 'blocked' || kind === 'archived') return undefined
  // Checks have names that their owners choose.
  const said = error.message.replace(/"[^"]*"/g, '')
  const named = status === 405 && rules.find(([, says]) => says.test(said))?.[0]
  const usual = status === 405 ? 'not_mergeable' : status === 409 ? 'head_changed' : 'not_allowed'
  return { refused: named || usual, status, reason: asName(error.message) }
}

/**
 * Merges a commit into the default branch by its hash, whatever has become of its branch or pull request. Sent once; a
 * commit that the branch contains already is not merged again.
 */
export async function mergeCommit(
  { octokit, request }: Host,
  { owner, repository: repo }: PullRequestAddress,
  { headSha, title, message, repositoryId }: CommitToMerge,
): Promise<MergeOutcome> {
  const found = await octokit.rest.repos
    .get({ owner, repo, request: { ...request } })
    .catch(undefinedIfMissing)
  // That says nothing of the commit.
  if (!found) throw new RepositoryError('unavailable')
  const { id, default_branch: base } = parseBody(Repository, found.data)
  if (id !== (repositoryId ?? id)) throw new RepositoryError('unavailable')
  try {
    const response = await octokit.rest.repos.merge({
      owner,
      repo,
      base,
      head: headSha,
      commit_message: `${title}\n\n${message}`,
      request: { ...request, retries: 0 },
    })
    const isContained = (response.status as number) === 204
    return { mergeCommitSha: isContained ? null : parseBody(MergeCommit, response.data).sha }
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    const { refused, status, reason } = refusal
    if (refused === 'busy' || refused === 'queue_required') return refusal
    // 404 says here that there is no such commit, and 409 that the commits conflict or that a rule forbids it.
    const isConflict = status === 409 && /conflict/i.test(reason)
    return {
      ...refusal,
      refused: isConflict ? 'not_mergeable' : status === 404 ? 'head_changed' : 'not_allowed',
    }
  }
}
