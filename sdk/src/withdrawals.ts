import type { CallOptions } from './core/options.ts'
import { untilConfirmed, type WaitLimits } from './core/wait.ts'
import type { WithdrawalsCreateRequest, WithdrawalsCreateResponse } from './generated/models.ts'
import { WithdrawalsResource } from './generated/resources.ts'

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
    const { idempotencyKey: _, ...reading } = options
    const started = await this.create(body, options)
    const read = () => this.get(started.withdrawal.id, reading)
    return untilConfirmed(started, read, ({ withdrawal }) => withdrawal, options)
  }
}
