import type { CallOptions } from './core/options.ts'
import { newIdempotencyKey } from './core/request.ts'
import { untilSettled, type WaitLimits } from './core/wait.ts'
import type { BountiesApproveRequest, BountiesApproveResponse } from './generated/models.ts'
import { BountiesResource } from './generated/resources.ts'

const underWay: readonly string[] = ['payout_unconfirmed', 'approval_in_progress']

/** Operations on `bounties`. */
export class Bounties extends BountiesResource {
  /**
   * Approves a submission and waits until the payout is confirmed. It joins the payout again while the service says that
   * it goes on. It can never pay twice.
   * @param waitMs how long to keep joining, in ms, default 300,000. Then the last `payout_unconfirmed` is thrown, but
   * the payout goes on.
   */
  approveAndWait(
    bountyId: string,
    body?: BountiesApproveRequest,
    options: CallOptions & WaitLimits = {},
  ): Promise<BountiesApproveResponse> {
    const call = { ...options, idempotencyKey: options.idempotencyKey ?? newIdempotencyKey() }
    return untilSettled(() => this.approve(bountyId, body, call), underWay, options)
  }
}
