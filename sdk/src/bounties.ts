import { ApiError, apiError, NotMergedError } from './core/errors.ts'
import type { CallOptions } from './core/options.ts'
import { newIdempotencyKey } from './core/request.ts'
import { untilFound, untilSettled, type WaitLimits } from './core/wait.ts'
import type {
  BountiesApproveRequest,
  BountiesApproveResponse,
  BountiesGetResponse,
  BountiesListQuery,
  BountiesMergeRequest,
  BountiesMergeResponse,
  Bounty,
  ErrorCode,
  PullRequest,
  SubmissionsPullRequestResponse,
} from './generated/models.ts'
import { BountiesResource } from './generated/resources.ts'

/** Which bounties {@link Bounties.claimNext} may claim. */
export interface Wanted extends Pick<BountiesListQuery, 'project_id' | 'difficulty' | 'q'> {
  /** Looks at each bounty before it is claimed; default: every one is wanted. */
  isWanted?: (bounty: Bounty) => boolean | Promise<boolean>
}

/** What {@link Bounties.approveAndMerge} approves, and the commit that was reviewed. */
export type ReviewedWork = BountiesApproveRequest & Pick<BountiesMergeRequest, 'expected_head_sha'>

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
   * merged now, nothing is paid. A second call after a failed merge only merges.
   * @param options `idempotencyKey` is that of the approval
   * @throws ApiError `pull_request_changed` or `pull_request_not_mergeable`, before anything is paid
   * @throws NotMergedError if it was approved and paid, but not merged
   */
  async approveAndMerge(
    bountyId: string,
    { expected_head_sha, ...review }: ReviewedWork,
    options: CallOptions & WaitLimits = {},
  ): Promise<ApprovedAndMerged> {
    const { idempotencyKey: _, ...call } = options
    const { bounty } = await this.get(bountyId, call)
    let approval: BountiesApproveResponse | undefined
    if (bounty.status !== 'done') {
      const submission_id = review.submission_id ?? waitingSubmission(bounty)
      const path = { submissionId: submission_id }
      const { pull_request }: SubmissionsPullRequestResponse = await this.call(
        'submissions.pullRequest',
        { path },
        call,
      )
      requireMergeable(pull_request, expected_head_sha)
      approval = await this.approveAndWait(bountyId, { ...review, submission_id }, options)
    }
    try {
      return { approval, merge: await this.merge(bountyId, { expected_head_sha }, call) }
    } catch (cause) {
      throw new NotMergedError(bountyId, approval, cause)
    }
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

/** @throws ApiError `no_pending_submission` */
function waitingSubmission({ submissions }: BountiesGetResponse['bounty']): string {
  const found = submissions.find(({ status }) => status === 'pending' || status === 'approving')
  return found?.id ?? refuse(400, 'no_pending_submission', 'No submission waits for a review')
}

const unknown = 'not known to merge yet: try again in a minute'

/** @throws ApiError unless the pull request has that newest commit and would be merged now, or was merged with it */
function requireMergeable(
  { state, draft, merged, mergeable, head_sha }: PullRequest,
  expected: string,
): void {
  if (head_sha !== expected) refuse(409, 'pull_request_changed', `The newest commit is ${head_sha}`)
  if (merged || (state === 'open' && !draft && mergeable)) return
  const reason =
    state !== 'open' ? state : draft ? 'a draft' : mergeable === null ? unknown : 'in conflict with its base'
  refuse(409, 'pull_request_not_mergeable', `The pull request is ${reason}`, reason === unknown)
}

function refuse(status: number, code: ErrorCode, why: string, retryable = false): never {
  const message = `${why}. Nothing was paid.`
  throw apiError({
    status,
    code,
    message,
    retryable,
    requestId: undefined,
    issues: [],
    retryAfterMs: undefined,
  })
}
