import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import { isFinal } from '../../lifecycle/pull-requests/attribution.ts'
import { RepositoryError } from '../host/error.ts'
import type { MergeOutcome } from '../host/merge.ts'
import { parsePullRequestUrl } from '../host/pull-request-url.ts'
import type { Repositories } from '../host/repositories.ts'
import { announce } from './record.ts'
import type { StoredPullRequest, TrackedPullRequest } from './store.ts'

/** The pull request of an approved submission. */
export interface ApprovedPullRequest extends TrackedPullRequest {
  bountyId: string
  bountyTitle: string
  submissionId: string
  /** The commit that was paid. */
  paidSha: string
  /** Id that the code host gave the project's repository; null until it is known. */
  repositoryId: number | null
}

interface Merging {
  db: Database
  repositories: Repositories
  /** Reads the pull request from the host now, and records it. */
  look(): Promise<StoredPullRequest | undefined>
}

/**
 * Merges exactly the paid commit: as the pull request while that is its newest one and goes into the default branch, else by its hash, so that nothing the
 * contributor does after the payment keeps the founder from what was paid. The host is asked first, and after everything
 * but a success again: a merge whose response was lost, whose process died, or that another request made is found, never
 * repeated or reported as failed.
 * @returns the commit that merged it; null if the host does not say
 */
export async function mergePaid(
  { db, repositories, look }: Merging,
  pull: ApprovedPullRequest,
): Promise<string | null> {
  const { paidSha } = pull
  const before = await look()
  if (before?.merged) return commitOfMerge(before, paidSha)
  const isOffered = before?.state === 'open' && before.head_sha === paidSha
  if (isOffered && before.mergeable === false) throw new ServiceError('pull_request_not_mergeable', conflict)
  const asPullRequest = isOffered && !before.draft && before.into_default
  const wasSent = before?.merged_by_hash ?? false
  const sendItsHash = () => sendHash(db, repositories, pull, wasSent)
  const sent = asPullRequest ? await send(repositories.merge, pull) : await sendItsHash()
  const hasMovedOn = asPullRequest && 'refused' in sent && sent.refused === 'head_changed'
  const outcome = hasMovedOn ? await sendItsHash() : sent
  const byHash = !asPullRequest || hasMovedOn
  if ('mergeCommitSha' in outcome) return recordMerge(db, pull, outcome.mergeCommitSha, byHash)
  const after = await look()
  if (after?.merged) return commitOfMerge(after, paidSha)
  if ('unknown' in outcome) throw outcome.unknown
  // The host refuses also while it has not found out whether it can merge.
  const isOfState = asPullRequest && ['not_mergeable', 'unexplained'].includes(outcome.refused)
  if (isOfState && after?.mergeable === null) throw refusals.busy()
  if (isOfState && after?.mergeable === false) throw new ServiceError('pull_request_not_mergeable', conflict)
  throw refusals[outcome.refused](asPullRequest && !hasMovedOn)
}

const conflict =
  'What was paid conflicts with the default branch. Have the contributor push the resolution to the pull request, and merge it at the code host.'

/** @throws ServiceError `pull_request_changed` if another commit was merged, `pull_request_not_mergeable` if into another branch */
function commitOfMerge(pull: StoredPullRequest, paidSha: string): string | null {
  const { head_sha, merge_commit_sha, base_ref } = pull
  // What was only found in the default branch, or was brought there by its hash, is in it.
  if (isFinal(pull) && !pull.into_default && !pull.merged_by_hash)
    throw new ServiceError(
      'pull_request_not_mergeable',
      `The pull request was merged at the code host, into the branch ${base_ref}. Bring it from there to the default branch.`,
    )
  if (head_sha === paidSha) return merge_commit_sha
  throw new ServiceError(
    'pull_request_changed',
    `The pull request was merged at the code host, with the commit ${head_sha} instead of the paid ${paidSha}.`,
  )
}

type Sent = MergeOutcome | { unknown: RepositoryError }

/**
 * Stores first that the paid commit itself may come to the default branch: its outcome may be lost, and then it looks like a squash of it.
 * @param wasSent whether that of an earlier request may still come
 */
async function sendHash(
  db: Database,
  repositories: Repositories,
  pull: ApprovedPullRequest,
  wasSent: boolean,
): Promise<Sent> {
  const note = (merged_by_hash: boolean) =>
    db
      .updateTable('pull_requests')
      .set({ merged_by_hash })
      .where('url', '=', pull.url)
      .where('merged', '=', false)
      .execute()
  await note(true)
  const sent = await send(repositories.mergeCommit, pull)
  if ('refused' in sent && !wasSent) await note(false)
  return sent
}

async function send(
  merge: Repositories['merge'],
  { url, repoUrl, bountyId, bountyTitle, submissionId, repositoryId, paidSha: headSha }: ApprovedPullRequest,
): Promise<Sent> {
  const address = parsePullRequestUrl(repoUrl, url)
  if (!address) throw new ServiceError('pull_request_gone')
  const title = `${bountyTitle} (#${address.number})`
  const message = `Bounty: ${bountyId}\nSubmission: ${submissionId}`
  try {
    return await merge(address, { headSha, title, message, repositoryId })
  } catch (error) {
    if (error instanceof RepositoryError) return { unknown: error }
    throw error
  }
}

/**
 * Records what the host has confirmed, once. A merge is final: no later reading takes it back.
 * @returns the commit that merged it, also where another request has merged and recorded it
 */
function recordMerge(
  db: Database,
  { url, paidSha }: ApprovedPullRequest,
  mergeCommitSha: string | null,
  merged_by_hash: boolean,
): Promise<string | null> {
  return inTransaction(db, async (trx) => {
    const merged = await trx
      .updateTable('pull_requests')
      .set({ state: 'closed', merged: true, merge_commit_sha: mergeCommitSha, head_sha: paidSha })
      .set({ merged_at: sql`clock_timestamp()`, merged_by_hash, mergeable: null, due_at: null })
      .where('url', '=', url)
      .where('merged', '=', false)
      .returningAll()
      .executeTakeFirst()
    if (merged) {
      await announce(trx, 'merged', merged)
      return mergeCommitSha
    }
    const known = await trx
      .updateTable('pull_requests')
      .set({ merge_commit_sha: sql`coalesce(merge_commit_sha, ${mergeCommitSha})` })
      .set({ merged_by_hash: sql`merged_by_hash or ${merged_by_hash}` })
      .where('url', '=', url)
      .returning('merge_commit_sha')
      .executeTakeFirst()
    return known?.merge_commit_sha ?? null
  })
}

const refusals = {
  busy: () => new ServiceError('merge_in_progress'),
  queue_required: () => new ServiceError('merge_queue_required'),
  review_required: () =>
    new ServiceError(
      'pull_request_not_mergeable',
      'The repository requires a review: have somebody else approve the pull request at the code host, then merge again.',
    ),
  not_mergeable: (asPullRequest: boolean) =>
    new ServiceError(
      'pull_request_not_mergeable',
      asPullRequest
        ? "The code host does not merge the pull request as it is: a check, a review or another rule of the repository is not satisfied. The operator's log has more."
        : conflict,
    ),
  unexplained: () => new ServiceError('repository_unreachable'),
  head_changed: () => new ServiceError('pull_request_gone', 'The code host no longer has the paid commit.'),
  not_allowed: () => new ServiceError('merge_refused'),
}
