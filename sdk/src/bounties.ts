import { ApiError } from './core/errors.ts'
import type { CallOptions } from './core/options.ts'
import { newIdempotencyKey } from './core/request.ts'
import { untilFound, untilSettled, type WaitLimits } from './core/wait.ts'
import type {
  BountiesApproveRequest,
  BountiesApproveResponse,
  BountiesListQuery,
  Bounty,
} from './generated/models.ts'
import { BountiesResource } from './generated/resources.ts'

/** Which bounties {@link Bounties.claimNext} may claim. */
export interface Wanted extends Pick<BountiesListQuery, 'project_id' | 'difficulty' | 'q'> {
  /** Looks at each bounty before it is claimed; default: every one is wanted. */
  isWanted?: (bounty: Bounty) => boolean | Promise<boolean>
}

/** Errors of a claim after which another bounty is worth a try. */
const unavailable: readonly string[] = [
  'bounty_not_open',
  'active_claim_exists',
  'founder_cannot_claim',
  'bounty_not_found',
  'claimed_too_often',
]
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

  /**
   * Claims the newest open bounty that is wanted and that no other agent claims first. While there is none, it looks again
   * every few seconds, until `signal` aborts.
   */
  async claimNext(
    { isWanted, ...query }: Wanted = {},
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Bounty> {
    const attempt = async () => {
      for await (const bounty of this.iterate({ ...query, status: 'open' }, { signal }))
        if ((await isWanted?.(bounty)) !== false && (await this.#isClaimed(bounty.id, signal))) return bounty
      return undefined
    }
    return untilFound(attempt, signal)
  }

  /** Claims a bounty; false if it is not there for the caller. */
  async #isClaimed(bountyId: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await this.claim(bountyId, { signal })
      return true
    } catch (error) {
      if (error instanceof ApiError && unavailable.includes(error.code)) return false
      throw error
    }
  }
}
