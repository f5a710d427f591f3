import {
  type PullRequestReference,
  parsePullRequestOfHost,
  parsePullRequestUrl,
} from '../../code/host/pull-request-url.ts'
import type { Before, PullRequestReading } from '../../code/host/pull-requests.ts'
import type { Repositories } from '../../code/host/repositories.ts'
import { readCurrent } from '../../code/pull-requests/reports.ts'
import { paidElsewhere } from '../../code/pull-requests/store.ts'
import { ServiceError } from '../../errors.ts'
import {
  isForOthers,
  isWorkOf,
  mergeOf,
  ownerOf,
  wasMergedBefore,
} from '../../lifecycle/pull-requests/attribution.ts'
import type { Situation } from '../../lifecycle/situation.ts'
import type { Services } from '../../services.ts'
import { onCodeHost, spendQuota } from '../on-code-host.ts'
import { seenCommit } from './seen-work.ts'

/** A pull request on the project's repository, as a claimant may submit it. */
export interface ResolvedPullRequest {
  /** Canonical address. */
  url: string
  reading: PullRequestReading
  number: number
  /** Whether its branch names the claimant and the bounty. */
  isAttributed: boolean
  /** From when on a merge counts. */
  mergeCountsFrom: Date
  /** Whether it is merged, and that is an acceptance. */
  isAccepted: boolean
}

/** A claimed bounty. `repository_id` is null until the code host has reported it. */
type ClaimedBounty = Pick<
  Situation,
  'id' | 'project_id' | 'claimed_at' | 'repo_url' | 'repository_id' | 'seen_sha' | 'seen_pulls' | 'seen_at'
>

/**
 * The pull request that `prUrl` names. Checks that it exists on the project's repository, is open or was merged since the
 * claim, and does not belong to another agent or bounty.
 * @throws ServiceError `pull_request_invalid`, `repositories_not_configured`, `repository_unreachable`,
 *   `pull_request_not_found`, `rate_limited`
 */
export async function resolvePullRequest(
  { db, repositories }: Pick<Services, 'db' | 'repositories'>,
  bounty: ClaimedBounty,
  agentId: string,
  prUrl: string,
): Promise<ResolvedPullRequest> {
  const repoUrl = bounty.repo_url ?? ''
  const named = parsePullRequestUrl(repoUrl, prUrl)
  const renamed = named ? null : parsePullRequestOfHost(repoUrl, prUrl)
  if (!named && !renamed) throw notOfProject(repoUrl)
  if (!repositories) throw new ServiceError('repositories_not_configured')
  spendQuota(repositories.quotaOf(repoUrl), agentId)
  const pullRequest = named ?? (renamed && (await underKnownName(repositories, bounty, renamed)))
  if (!pullRequest) throw notOfProject(repoUrl)
  const { project_id: projectId, repository_id: repositoryId } = bounty
  const pull = { url: pullRequest.url, projectId, repoUrl, repositoryId, agentId }
  const read = (before: Before) => onCodeHost(() => readCurrent(db, repositories, pull, before))
  const wasSeen = bounty.seen_pulls.some(({ number }) => number === pullRequest.number)
  const reading = await readNew(read, wasSeen ? seenCommit(bounty, pullRequest.number) : null)
  if (!reading) throw new ServiceError('pull_request_not_found')
  const { facts } = reading
  if (!facts.into_default && !facts.merged)
    throw new ServiceError(
      'pull_request_invalid',
      `The pull request goes into the branch ${facts.base_ref}. Change its base to the default branch, then submit it.`,
    )
  if (facts.state === 'closed' && !facts.merged)
    throw new ServiceError(
      'pull_request_invalid',
      'The pull request is closed. Open it again, then submit it.',
    )
  await requireUnpaid(db, pull, facts.head_sha)
  const claimedAt = bounty.claimed_at ?? new Date()
  if (wasMergedBefore(facts, claimedAt))
    throw new ServiceError(
      'pull_request_invalid',
      'The pull request was merged before you claimed the bounty, or in the same second. Open a new one for this bounty.',
    )
  if (isForOthers(facts, agentId, bounty.id)) throw belongsTo(facts.head_ref)
  const isAttributed = isWorkOf(facts, agentId, bounty.id)
  const work = { is_attributed: isAttributed, merge_counts_from: claimedAt }
  const isAccepted = mergeOf(facts, work) === 'accepted'
  const { url, number } = pullRequest
  return { url, number, reading, isAttributed, mergeCountsFrom: claimedAt, isAccepted }
}

/**
 * A squash leaves the commit itself out of the default branch, so another pull request can bring it again. What others were paid for may
 * be a copy of the caller's.
 */
async function requireUnpaid(
  db: Services['db'],
  pull: { projectId: string; url: string; agentId: string },
  sha: string,
): Promise<void> {
  const rows = await paidElsewhere(db, pull, sha)
  const paid = rows.find(({ head_sha, agent_id }) => head_sha === sha && agent_id === pull.agentId)
  if (paid)
    throw new ServiceError(
      'pull_request_invalid',
      `You were paid for the newest commit of the pull request, with bounty ${paid.bounty_id}. Push the work of this bounty to it first.`,
    )
}

const notOfProject = (repoUrl: string) =>
  new ServiceError('pull_request_invalid', `pr_url must look like ${repoUrl}/pull/{number}`)

/**
 * The pull request by the address that the project's repository had when it was created, if it is that repository which has another
 * one now. The host redirects the first one.
 * @throws ServiceError one of `codeHostErrors`
 */
async function underKnownName(
  repositories: Repositories,
  { repo_url, repository_id }: ClaimedBounty,
  renamed: PullRequestReference,
): Promise<PullRequestReference | null> {
  if (repository_id === null) return null
  const id = await onCodeHost(() => repositories.repositoryIdAt(renamed))
  return id === repository_id
    ? parsePullRequestUrl(repo_url ?? '', `${repo_url}/pull/${renamed.number}`)
    : null
}

/**
 * Reads a pull request that is to be submitted. It is merged also where the default branch has got what was seen of it before.
 * @throws ServiceError `pull_request_invalid` if the default branch had its newest commit already
 */
async function readNew(
  read: (before: Before) => Promise<PullRequestReading | undefined>,
  submitted: Before['submitted'],
): Promise<PullRequestReading | undefined> {
  const reading = await read({})
  if (!reading || reading.facts.merged) return reading
  const mayHaveCome = reading.isEmpty || reading.facts.head_sha !== submitted?.sha
  if (submitted && mayHaveCome) {
    const merged = await read({ submitted })
    if (merged?.facts.merged) return merged
  }
  if (!reading.isEmpty) return reading
  throw new ServiceError(
    'pull_request_invalid',
    'The default branch already has the newest commit of the pull request: there is nothing to review. Push your work to it first.',
  )
}

/** The error for work of another agent or for another bounty. */
function belongsTo(head_ref: string): ServiceError {
  const { agent, bounty } = ownerOf({ head_ref })
  return new ServiceError(
    'pull_request_invalid',
    `The branch of the pull request says that it is the work of ${[agent, bounty].filter(Boolean).join(' for ')}. ` +
      'Submit one whose branch names you and this bounty.',
  )
}
