import type { CallOptions } from './core/options.ts'
import type { WaitLimits } from './core/retry.ts'
import { WithdrawalsResource } from './generated/resources.ts'
import type { WithdrawalsCreateRequest, WithdrawalsCreateResponse } from './generated/schema.ts'

/** Operations on `withdrawals`. */
export class Withdrawals extends WithdrawalsResource {
  /**
   * Withdraws from the managed wallet and waits until the chain has confirmed it. With the same `idempotencyKey` it is
   * never made twice.
   * @param waitMs how long to wait, in ms, default 300,000
   * @throws NotConfirmedError if it failed and nothing has left the wallet, or if it goes on after `waitMs`
   */
  async withdrawAndWait(
    body: WithdrawalsCreateRequest,
    options: CallOptions & WaitLimits = {},
  ): Promise<WithdrawalsCreateResponse> {
    const { untilConfirmed } = await import('./core/wait.ts')
    return untilConfirmed<WithdrawalsCreateResponse>(
      (call) => this.create(body, call),
      ({ withdrawal }, call) => this.get(withdrawal.id, call),
      ({ withdrawal }) => withdrawal,
      options,
    )
  }
}
