import { ServiceError } from '../../errors.ts'
import type { StoredPullRequest } from './store.ts'

/**
 * Makes sure that the pull request has this newest commit, and could be merged or was merged so.
 * @throws ServiceError `pull_request_gone`, `pull_request_changed`, `pull_request_not_mergeable`
 */
export function requireHead(
  found: StoredPullRequest | undefined,
  expectedHeadSha: string,
): StoredPullRequest {
  if (!found || found.state === 'gone')
    throw new ServiceError('pull_request_gone', 'The code host no longer has the pull request.')
  if (found.head_sha !== expectedHeadSha)
    throw new ServiceError(
      'pull_request_changed',
      `The newest commit of the pull request is ${found.head_sha}, not the one you named. Nothing was paid: read that commit first.`,
    )
  const obstacle = found.merged ? undefined : obstacleOf(found)
  if (obstacle) throw new ServiceError('pull_request_not_mergeable', obstacle)
  return found
}

function obstacleOf({ state, draft, mergeable }: StoredPullRequest): string | undefined {
  if (state === 'closed') return 'The pull request is closed. Open it again at the code host first.'
  if (draft) return 'The pull request is a draft. Mark it as ready at the code host first.'
  return mergeable === false
    ? 'The pull request conflicts with its base. Its author has to resolve that; then its newest commit is another one.'
    : undefined
}
