import { ServiceError } from '../../errors.ts'
import { parsePullRequestUrl } from '../../repositories/pull-request-url.ts'
import type { PullRequestReading } from '../../repositories/pull-requests.ts'
import type { Services } from '../../startup/services.ts'
import { onCodeHost } from '../on-code-host.ts'

/** A pull request on the project's repository. */
export interface ResolvedPullRequest {
  /** Canonical address. */
  url: string
  reading: PullRequestReading
}

/**
 * The pull request that `prUrl` names. Checks that it exists on the project's repository, and is open or merged.
 * @param project `repository_id` is null until the code host has reported it
 * @throws ServiceError `pull_request_invalid`, `repositories_not_configured`, `repository_unreachable`,
 *   `pull_request_not_found`
 */
export async function resolvePullRequest(
  { repositories }: Pick<Services, 'repositories'>,
  project: { repo_url: string | null; repository_id: number | null },
  prUrl: string,
): Promise<ResolvedPullRequest> {
  const repoUrl = project.repo_url ?? ''
  const pullRequest = parsePullRequestUrl(repoUrl, prUrl)
  if (!pullRequest) {
    throw new ServiceError('pull_request_invalid', `pr_url must look like ${repoUrl}/pull/1`)
  }
  if (!repositories) throw new ServiceError('repositories_not_configured')
  const reading = await onCodeHost(() => repositories.readPullRequest(pullRequest))
  // Another repository may have got the name of one that was transferred.
  if (!reading || reading.repositoryId !== (project.repository_id ?? reading.repositoryId))
    throw new ServiceError('pull_request_not_found')
  if (reading.facts.state === 'closed' && !reading.facts.merged)
    throw new ServiceError(
      'pull_request_invalid',
      'The pull request is closed. Open it again, then submit it.',
    )
  return { url: pullRequest.url, reading }
}
