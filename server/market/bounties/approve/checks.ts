import type { Caller } from '../../../auth/api-keys.ts'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../errors.ts'
import { wasMergedBefore } from '../../../lifecycle/pull-requests/attribution.ts'
import type { Review, Situation } from '../../../lifecycle/situation.ts'
import { onCodeHost, spendQuota } from '../../on-code-host.ts'

/**
 * Makes sure that what is paid, or is being paid, is the commit that was reviewed; and before a payment that it can be
 * merged. Where none is named, what the code host has reported is read before, so that later commits refuse the payment.
 * @throws ServiceError `pull_request_changed`, `pull_request_not_mergeable`, `pull_request_gone`, `pull_request_invalid`,
 *   `repository_unreachable`, `repositories_not_configured`
 */
export async function confirmHead(
  ctx: Context & { agent: Caller },
  { project_id: projectId, repo_url, claimed_at }: Situation,
  { status, pr_url: url, paid_sha }: Review,
  expectedHeadSha: string | undefined,
): Promise<void> {
  const pull = { url, projectId, repoUrl: repo_url ?? '' }
  if (expectedHeadSha === undefined) {
    if (status === 'pending') await onCodeHost(() => ctx.services.pullRequests.catchUp(pull, ctx.agent.id))
    return
  }
  if (status === 'approving') {
    if ((paid_sha ?? expectedHeadSha) === expectedHeadSha) return
    throw new ServiceError(
      'pull_request_changed',
      `The payout that is under way is for the commit ${paid_sha}.`,
    )
  }
  spendQuota(ctx.services.repositories?.quotaOf(repo_url), ctx.agent.id, true)
  const found = await onCodeHost(() => ctx.services.pullRequests.confirm(pull, expectedHeadSha))
  if (wasMergedBefore(found, claimed_at))
    throw new ServiceError(
      'pull_request_invalid',
      'The pull request was merged before its contributor claimed the bounty: it is other work. Reject it, or request changes.',
    )
}
