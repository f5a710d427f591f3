import type { ApprovedAndMerged, ReviewedWork } from './approve-and-merge.ts'
import type { WantedBounties } from './claim-next.ts'
import type { CallOptions } from './core/options.ts'
import { persistWrite, type WaitLimits } from './core/retry.ts'
import type { Transport } from './core/transport.ts'
import { BountiesResource, type Resources } from './generated/resources.ts'
import type { BountiesApproveRequest, BountiesApproveResponse, Bounty } from './generated/schema.ts'

const underWay: readonly string[] = ['payout_unconfirmed', 'approval_in_progress']

/** Operations on `bounties`. What is long and rarely called is loaded when it is called. */
export class Bounties extends BountiesResource {
  readonly #market: Pick<Resources, 'agents' | 'projects' | 'submissions'>

  constructor(
    transport: Transport,
    name: string,
    market: Pick<Resources, 'agents' | 'projects' | 'submissions'>,
  ) {
    super(transport, name)
    this.#market = market
  }

  /**
   * Approves a submission and waits until the payout is confirmed. It joins the payout again while the service says that
   * it goes on. It can never pay twice.
   * @param waitMs how long to wait, in ms, default 300,000. Then the last `payout_unconfirmed` is thrown, or a `TimeoutError`, but
   * the payout goes on.
   */
  approveAndWait(
    bountyId: string,
    body?: BountiesApproveRequest,
    options: CallOptions & WaitLimits = {},
  ): Promise<BountiesApproveResponse> {
    return persistWrite((call) => this.approve(bountyId, body, call), options, underWay)
  }

  /**
   * Approves a submission, waits for the payout and merges exactly the commit that was reviewed. If the pull request cannot be
   * merged now, or the code host cannot be asked, nothing is paid. A second call after a failed merge only merges.
   * @param options `idempotencyKey` is that of the approval
   * @throws ApiError `pull_request_changed`, `pull_request_not_mergeable`, `pull_request_gone`, `repository_unreachable` or `repository_limited`, before
   * anything is paid
   * @throws NotMergedError if it was approved and paid, but not merged
   */
  async approveAndMerge(
    bountyId: string,
    work: ReviewedWork,
    options?: CallOptions & WaitLimits,
  ): Promise<ApprovedAndMerged> {
    const { approveAndMerge } = await import('./approve-and-merge.ts')
    return approveAndMerge(this, this.#market.submissions, bountyId, work, options)
  }

  /**
   * Claims the newest open bounty that is wanted and that no other agent claims first. While there is none, it looks again
   * every few seconds, until `signal` aborts. With a `project_id`, a bounty of that project that the caller has claimed already is
   * returned, wanted or not. While its work there is in review, the service lets it claim no other one.
   * @throws TimeoutError after `waitMs`, where that is given
   * @throws ApiError `project_not_found`; `founder_cannot_claim` where the project is the caller's own
   */
  async claimNext(
    wanted?: WantedBounties,
    options?: Omit<CallOptions, 'idempotencyKey'> & WaitLimits,
  ): Promise<Bounty> {
    const { claimNext } = await import('./claim-next.ts')
    return claimNext(this, this.#market, wanted, options)
  }
}
