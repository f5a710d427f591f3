import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { RepositoryError } from '../../repositories/error.ts'
import { parsePullRequestUrl } from '../../repositories/pull-request-url.ts'
import type { MergeOutcome } from '../../repositories/pull-requests.ts'
import type { Repositories } from '../../repositories/repositories.ts'
import { record } from './record.ts'
import { claimNow, knownOf, type StoredPullRequest, type TrackedPullRequest } from './store.ts'

/** The pull request of an approved submission. */
export interface ApprovedPullRequest extends TrackedPullRequest {
  bountyId: string
  bountyTitle: string
  submissionId: string
}

interface Merging {
  db: Database
  repositories: Repositories
  /** Reads the pull request from the host now, and records it. */
  look(): Promise<StoredPullRequest | undefined>
}

/**
 * Merges exactly the commit `expectedHeadSha`. The host is asked first, and after everything but a success again: a merge
 * whose response was lost, whose process died, or that another request made is found, never repeated or reported as failed.
 * @returns the commit that merged it; null if the host does not say
 */
export async function mergeApproved(
  { db, repositories, look }: Merging,
  pull: ApprovedPullRequest,
  expectedHeadSha: string,
): Promise<string | null> {
  const before = mergedAt(await look(), expectedHeadSha)
  if (before !== undefined) return before
  const sent = await send(repositories, pull, expectedHeadSha)
  if ('mergeCommitSha' in sent) {
    await recordMerge(db, pull, sent.mergeCommitSha)
    return sent.mergeCommitSha
  }
  const after = mergedAt(await look(), expectedHeadSha)
  if (after !== undefined) return after
  if ('unknown' in sent) throw sent.unknown
  throw refusals[sent.refused]()
}

/** The commit that merged the pull request at this commit; undefined if it is open and may be merged. */
export function mergedAt(
  found: StoredPullRequest | undefined,
  expectedHeadSha: string,
): string | null | undefined {
  if (!found || found.state === 'gone')
    throw new ServiceError('pull_request_gone', 'The code host no longer has the pull request.')
  if (found.head_sha !== expectedHeadSha)
    throw new ServiceError(
      'pull_request_changed',
      `The newest commit of the pull request is ${found.head_sha}${found.merged ? ', which is merged already' : '. Nothing was merged: read what has changed'}.`,
    )
  if (found.merged) return found.merge_commit_sha
  const obstacle = obstacleOf(found)
  if (obstacle) throw new ServiceError('pull_request_not_mergeable', obstacle)
  return undefined
}

function obstacleOf({ state, draft, mergeable }: StoredPullRequest): string | undefined {
  if (state === 'closed') return 'The pull request is closed. Open it again at the code host, then merge.'
  if (draft) return 'The pull request is a draft. Mark it as ready at the code host, then merge.'
  return mergeable === false
    ? 'The pull request conflicts with its base. Its author has to resolve that; then its newest commit is another one.'
    : undefined
}

async function send(
  repositories: Repositories,
  { url, repoUrl, bountyId, bountyTitle, submissionId }: ApprovedPullRequest,
  headSha: string,
): Promise<MergeOutcome | { unknown: RepositoryError }> {
  const address = parsePullRequestUrl(repoUrl, url)
  if (!address) throw new ServiceError('pull_request_gone')
  const title = `${bountyTitle} (#${address.number})`
  try {
    return await repositories.merge(address, {
      ...{ headSha, title },
      message: `Bounty: ${bountyId}\nSubmission: ${submissionId}`,
    })
  } catch (error) {
    if (error instanceof RepositoryError) return { unknown: error }
    throw error
  }
}

/** Records what the host has confirmed. The facts that a merge does not change are those of the look before it. */
async function recordMerge(db: Database, pull: TrackedPullRequest, mergeCommitSha: string): Promise<void> {
  const claim = await claimNow(db, pull)
  const known = knownOf(claim)
  if (!known || !claim.row) return // it is read again before anybody relies on it
  const { checks_state: state, failed_checks: failed } = claim.row
  const merged = { state: 'closed', merged: true, merge_commit_sha: mergeCommitSha, mergeable: null } as const
  const facts = { ...known.facts, ...merged }
  await record(db, pull, claim, { ...known, facts, checks: { state, failed }, cache: {} })
}

const refusals = {
  not_mergeable: () =>
    new ServiceError(
      'pull_request_not_mergeable',
      'The code host does not merge the pull request as it is: a check, a review or another rule of the repository is not fulfilled. The log of the operator has more.',
    ),
  head_changed: () => new ServiceError('pull_request_changed'),
  not_allowed: () => new ServiceError('merge_refused'),
}
