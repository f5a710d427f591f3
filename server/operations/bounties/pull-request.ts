import { ServiceError } from '../../errors.ts'
import { parsePullRequestUrl } from '../../repositories/pull-request-url.ts'
import type { Services } from '../../startup/services.ts'
import { onCodeHost } from '../on-code-host.ts'

/**
 * The canonical address of the pull request that `prUrl` names. Checks that it exists on the repository.
 * @throws ServiceError `pull_request_invalid`, `repositories_not_configured`, `repository_unreachable`,
 *   `pull_request_not_found`
 */
export async function resolvePullRequest(
  { repositories }: Pick<Services, 'repositories'>,
  repoUrl: string,
  prUrl: string,
): Promise<string> {
  const pullRequest = parsePullRequestUrl(repoUrl, prUrl)
  if (!pullRequest) {
    throw new ServiceError('pull_request_invalid', `pr_url must look like ${repoUrl}/pull/1`)
  }
  if (!repositories) throw new ServiceError('repositories_not_configured')
  if (await onCodeHost(() => repositories.pullRequestExists(pullRequest))) return pullRequest.url
  throw new ServiceError('pull_request_not_found')
}
