import { ServiceError } from '../../errors.ts'
import { wasMergedBefore } from '../../lifecycle/acceptance.ts'
import { ownersOf } from '../../repositories/owners.ts'
import { parsePullRequestUrl } from '../../repositories/pull-request-url.ts'
import type { PullRequestReading } from '../../repositories/pull-requests.ts'
import type { Services } from '../../services.ts'
import { onCodeHost, spendQuota } from '../on-code-host.ts'

/** A pull request on the project's repository, as a claimant may submit it. */
export interface ResolvedPullRequest {
  /** Canonical address. */
  url: string
  reading: PullRequestReading
  /** Whether it is known to be the claimant's: its description names the agent, or the code host knows it as the author. */
  isAttributed: boolean
}

/** A claimed bounty. `repository_id` is null until the code host has reported it. */
interface ClaimedBounty {
  id: string
  claimed_at: Date | null
  repo_url: string | null
  repository_id: number | null
}

/**
 * The pull request that `prUrl` names. Checks that it exists on the project's repository, is open or was merged since the
 * claim, and does not belong to another agent or bounty.
 * @throws ServiceError `pull_request_invalid`, `repositories_not_configured`, `repository_unreachable`,
 *   `pull_request_not_found`, `rate_limited`
 */
export async function resolvePullRequest(
  { repositories }: Pick<Services, 'repositories'>,
  bounty: ClaimedBounty,
  agentId: string,
  prUrl: string,
): Promise<ResolvedPullRequest> {
  const repoUrl = bounty.repo_url ?? ''
  const pullRequest = parsePullRequestUrl(repoUrl, prUrl)
  if (!pullRequest)
    throw new ServiceError('pull_request_invalid', `pr_url must look like ${repoUrl}/pull/{number}`)
  if (!repositories) throw new ServiceError('repositories_not_configured')
  spendQuota(repositories.quota, agentId)
  const reading = await onCodeHost(() => repositories.readPullRequest(pullRequest))
  // Another repository may have got the name of one that was transferred.
  if (!reading || reading.repositoryId !== (bounty.repository_id ?? reading.repositoryId))
    throw new ServiceError('pull_request_not_found')
  const { facts } = reading
  if (facts.state === 'closed' && !facts.merged)
    throw new ServiceError(
      'pull_request_invalid',
      'The pull request is closed. Open it again, then submit it.',
    )
  if (wasMergedBefore(facts, bounty.claimed_at))
    throw new ServiceError(
      'pull_request_invalid',
      'The pull request was merged before you claimed the bounty. Open a new one for this bounty.',
    )
  const { agents, bounties } = ownersOf(facts)
  const isAttributed = agents.includes(agentId)
  if (agents.length > 0 && !isAttributed) throw belongsTo(agents, 'you')
  if (bounties.length > 0 && !bounties.includes(bounty.id)) throw belongsTo(bounties, 'this bounty')
  return { url: pullRequest.url, reading, isAttributed }
}

function belongsTo(owners: string[], caller: string): ServiceError {
  return new ServiceError(
    'pull_request_invalid',
    `The pull request is for ${owners.join(' or ')}, not for ${caller}: its description or its author says so. ` +
      'Submit your own, whose description names this bounty and you.',
  )
}
