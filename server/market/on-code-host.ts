import { lastingFailures, RepositoryError } from '../code/host/error.ts'
import type { Quota } from '../code/host/quota.ts'
import type { TrackedPullRequest } from '../code/pull-requests/store.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import type { Services } from '../services.ts'

/**
 * Runs calls of the code host for a request.
 * @param refused the code where the host does not allow it
 * @throws ServiceError one of {@link codeHostErrors}, or `refused`
 */
export async function onCodeHost<Result>(work: () => Promise<Result>, refused?: ErrorCode): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof RepositoryError)) throw cause
    const { kind, retryAfter } = cause
    if (retryAfter !== undefined)
      throw new ServiceError('repository_limited', undefined, { cause, retryAfter })
    if (refused && kind === 'rejected') throw new ServiceError(refused, undefined, { cause })
    const { code, message } = lastingFailures[kind] ?? { code: 'repository_unreachable' }
    throw new ServiceError(code, message, { cause })
  }
}

/**
 * Counts a reading of the code host that a request of the agent is about to cause.
 * @throws ServiceError `rate_limited` where the agent, or everybody, has used the host's quota up
 */
export function spendQuota(quota: Quota | undefined, agentId: string, isDecision = false): void {
  const retryAfter = quota?.spend(agentId, isDecision) ?? 0
  if (retryAfter > 0)
    throw new ServiceError('rate_limited', `The code host's quota is used up; wait ${retryAfter} seconds.`, {
      retryAfter,
    })
}

/**
 * Reads a pull request from the code host before what a merge forbids, so that the facts that are stored know of a merge.
 * @throws ServiceError `rate_limited`, `repository_unreachable`, `repositories_not_configured`
 */
export async function lookFirst(
  { repositories, pullRequests }: Pick<Services, 'repositories' | 'pullRequests'>,
  agentId: string,
  pull: TrackedPullRequest,
): Promise<void> {
  spendQuota(repositories?.quotaOf(pull.repoUrl), agentId, true)
  await onCodeHost(() => pullRequests.look(pull))
}
