import { ApiError, apiError, NotMergedError } from './core/errors.ts'
import type { CallOptions } from './core/options.ts'
import { newIdempotencyKey } from './core/request.ts'
import { untilFound, untilSettled, type WaitLimits } from './core/wait.ts'
import type {
  BountiesApproveRequest,
  BountiesApproveResponse,
  BountiesListQuery,
  BountiesMergeResponse,
  Bounty,
  SubmissionsPullRequestResponse,
} from './generated/models.ts'
import { BountiesResource } from './generated/resources.ts'

/** Which bounties {@link Bounties.claimNext} may claim. */
export interface Wanted
  extends Pick<BountiesListQuery, 'project_id' | 'difficulty' | 'tag' | 'min_reward' | 'q'> {
  /** Looks at each bounty before it is claimed; default: every one is wanted. */
  isWanted?: (bounty: Bounty) => boolean | Promise<boolean>
}

/** What {@link Bounties.approveAndMerge} approves, and the commit that was reviewed. */
export type ReviewedWork = BountiesApproveRequest & { expected_head_sha: string }

/** What {@link Bounties.approveAndMerge} did. */
export interface ApprovedAndMerged {
  /** The response of the approval; `undefined` if the bounty was done before. */
  approval: BountiesApproveResponse | undefined
  merge: BountiesMergeResponse
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
   * Approves a submission, waits for the payout and merges exactly the commit that was reviewed. If the pull request cannot be
   * merged now, or the code host cannot be asked, nothing is paid. A second call after a failed merge only merges.
   * @param options `idempotencyKey` is that of the approval
   * @throws ApiError `pull_request_changed`, `pull_request_not_mergeable`, `pull_request_gone` or `repository_unreachable`, before
   * anything is paid
   * @throws NotMergedError if it was approved and paid, but not merged
   */
  async approveAndMerge(
    bountyId: string,
    work: ReviewedWork,
    options: CallOptions & WaitLimits = {},
  ): Promise<ApprovedAndMerged> {
    const { idempotencyKey: _, ...call } = options
    const { expected_head_sha, submission_id } = work
    const { bounty } = await this.get(bountyId, call)
    let approval: BountiesApproveResponse | undefined
    if (bounty.status !== 'done') {
      // A payout that is under way is joined: only one that has not begun can be refused.
      const waiting = bounty.submissions.find(
        ({ id, status }) => status === 'pending' && id === (submission_id ?? id),
      )
      if (waiting) await this.#requireKnownToMerge(waiting.id, call)
      const approved = { ...work, submission_id: submission_id ?? waiting?.id }
      approval = await this.approveAndWait(bountyId, approved, options)
    }
    try {
      return { approval, merge: await this.merge(bountyId, { expected_head_sha }, call) }
    } catch (cause) {
      throw new NotMergedError(bountyId, approval, cause)
    }
  }

  /**
   * The service refuses to pay for another commit and for what cannot be merged, but not for what the code host has not found
   * out yet.
   * @throws ApiError `pull_request_not_mergeable`, to be tried again
   */
  async #requireKnownToMerge(submissionId: string, call: CallOptions): Promise<void> {
    const path = { submissionId }
    const { pull_request } = await this.call<SubmissionsPullRequestResponse>(
      'submissions.pullRequest',
      'GET /api/submissions/{submissionId}/pull-request',
      { path },
      call,
    )
    if (pull_request.state !== 'open' || pull_request.mergeable !== null) return
    throw apiError({
      status: 409,
      code: 'pull_request_not_mergeable',
      message: 'The code host does not know yet whether it merges. Nothing was paid: try again in a minute.',
      retryable: true,
      requestId: undefined,
      issues: [],
      retryAfterMs: undefined,
    })
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
      await this.claim(bountyId, {}, { signal })
      return true
    } catch (error) {
      if (error instanceof ApiError && unavailable.includes(error.code)) return false
      throw error
    }
  }
}
