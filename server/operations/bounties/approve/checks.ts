import type { Caller } from '../../../auth/api-keys.ts'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../errors.ts'
import { wasMergedBefore } from '../../../lifecycle/acceptance.ts'
import { onCodeHost, spendQuota } from '../../on-code-host.ts'
import type { BountyToApprove } from './queries.ts'

/**
 * Makes sure that what is paid, or is being paid, is the commit that was reviewed; and before a payment that it can be
 * merged.
 * @throws ServiceError `pull_request_changed`, `pull_request_not_mergeable`, `pull_request_gone`, `pull_request_invalid`,
 *   `repository_unreachable`, `repositories_not_configured`
 */
export async function confirmHead(
  ctx: Context & { agent: Caller },
  bounty: BountyToApprove,
  expectedHeadSha: string,
): Promise<void> {
  const { pr_url: url, project_id: projectId, repo_url, paid_sha } = bounty
  if (bounty.submission_status === 'approving') {
    if ((paid_sha ?? expectedHeadSha) === expectedHeadSha) return
    throw new ServiceError(
      'pull_request_changed',
      `The payout that is under way is for the commit ${paid_sha}.`,
    )
  }
  if (url === null) throw new ServiceError('no_pending_submission')
  const pull = { url, projectId, repoUrl: repo_url ?? '' }
  spendQuota(ctx.services.repositories?.quota, ctx.agent.id, true)
  const found = await onCodeHost(() => ctx.services.pullRequests.confirm(pull, expectedHeadSha))
  if (wasMergedBefore(found, bounty.claimed_at))
    throw new ServiceError(
      'pull_request_invalid',
      'The pull request was merged before its contributor claimed the bounty: it is other work. Reject it, or request changes.',
    )
}
