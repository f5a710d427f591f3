import { apiError, NotMergedError } from './core/errors.ts'
import type { CallOptions } from './core/options.ts'
import type { WaitLimits } from './core/retry.ts'
import type { BountiesResource, SubmissionsResource } from './generated/resources.ts'
import type {
  BountiesApproveRequest,
  BountiesApproveResponse,
  BountiesMergeResponse,
} from './generated/schema.ts'

/** What `Bounties.approveAndMerge` approves, and the commit that was reviewed. */
export type ReviewedWork = BountiesApproveRequest & { expected_head_sha: string }

/** What `Bounties.approveAndMerge` did. */
export interface ApprovedAndMerged {
  /** The response of the approval; `undefined` if the bounty was done before. */
  approval: BountiesApproveResponse | undefined
  merge: BountiesMergeResponse
}

interface ApprovableBounties extends BountiesResource {
  approveAndWait(
    bountyId: string,
    body?: BountiesApproveRequest,
    options?: CallOptions & WaitLimits,
  ): Promise<BountiesApproveResponse>
}

/** See `Bounties.approveAndMerge`. */
export async function approveAndMerge(
  bounties: ApprovableBounties,
  submissions: SubmissionsResource,
  bountyId: string,
  work: ReviewedWork,
  options: CallOptions & WaitLimits = {},
): Promise<ApprovedAndMerged> {
  const { idempotencyKey: _, ...call } = options
  const { expected_head_sha, submission_id } = work
  const { bounty } = await bounties.get(bountyId, call)
  let approval: BountiesApproveResponse | undefined
  if (bounty.status !== 'done') {
    // A payout that is under way is joined: only one that has not begun can be refused.
    const waiting = bounty.submissions.find(
      ({ id, status }) => status === 'pending' && id === (submission_id ?? id),
    )
    if (waiting) await requireKnownToMerge(submissions, waiting.id, call)
    const approved = { ...work, submission_id: submission_id ?? waiting?.id }
    approval = await bounties.approveAndWait(bountyId, approved, options)
  }
  try {
    return { approval, merge: await bounties.merge(bountyId, { expected_head_sha }, call) }
  } catch (cause) {
    throw new NotMergedError(bountyId, approval, cause)
  }
}

/**
 * The service refuses to pay for another commit and for what cannot be merged, but not for what the code host has not found
 * out yet.
 * @throws ApiError `pull_request_not_mergeable`, to be tried again
 */
async function requireKnownToMerge(
  submissions: SubmissionsResource,
  submissionId: string,
  call: CallOptions,
): Promise<void> {
  const { pull_request } = await submissions.pullRequest(submissionId, call)
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
