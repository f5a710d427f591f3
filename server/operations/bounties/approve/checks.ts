import type { Address } from 'viem'
import type { Caller } from '../../../auth/api-keys.ts'
import { splitReward } from '../../../chain/units.ts'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../errors.ts'
import { howToCover } from '../../funding/funding.ts'
import { onCodeHost, spendQuota } from '../../on-code-host.ts'
import { wasMergedBefore } from '../pull-request.ts'
import type { BountyToApprove } from './queries.ts'

/** The token and the wallet that pays. Every project with bounties has both. */
export function fundsOf(bounty: BountyToApprove): { token: Address; from: Address } {
  if (!bounty.token_address || !bounty.founder_wallet) throw new ServiceError('token_not_deployed')
  return { token: bounty.token_address as Address, from: bounty.founder_wallet as Address }
}

/** Checks that the founder and the service can pay now. @throws ServiceError `payouts_disabled`, `insufficient_funds` */
export async function ensureFunds(
  ctx: Context,
  bounty: BountyToApprove,
  token: Address,
  from: Address,
): Promise<void> {
  const { config } = ctx.services
  if (!config.PAYOUTS_ENABLED) throw new ServiceError('payouts_disabled')
  const chain = ctx.services.chain.require()
  const [paused, { balance, allowance }] = await Promise.all([chain.isPaused(), chain.funds(token, from)])
  if (paused) throw new ServiceError('payouts_disabled')
  const { net, fee } = splitReward(bounty.reward_amount, config.PLATFORM_FEE_BPS)
  if (balance < net + fee || allowance < net + fee)
    throw new ServiceError(
      'insufficient_funds',
      "The founder's token balance or allowance does not cover the reward. To approve, first " +
        `${howToCover(bounty.project_id, { balance, allowance }, bounty.reward_amount)}.`,
    )
}

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
