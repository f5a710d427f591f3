import { sql } from 'kysely'
import type { Database } from '../db/client.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import type { Situation } from './situation.ts'
import type { UnpaidEnding } from './statuses.ts'

/** Makes the error that says why a bounty does not move, and what to do instead. It may read more for its sentence. */
export type Sentence = (situation: Situation, db: Database) => ServiceError | Promise<ServiceError>

/** An error that says why a bounty does not move, and the codes that it may have. */
export interface Refusal {
  codes: readonly ErrorCode[]
  error: Sentence
}

/** A refusal with one code. */
const refuse = (code: ErrorCode, sentence: (situation: Situation) => string): Refusal => ({
  codes: [code],
  error: (situation) => new ServiceError(code, sentence(situation)),
})

/** The error for a bounty that its founder has cancelled. */
export function bountyCancelled(): ServiceError {
  return new ServiceError('bounty_cancelled')
}

/** A claim of a bounty that is not free. */
export const notFree = refuse('bounty_not_open', (situation) => {
  const { status, claimed_by, has_lapsed, expires_at, seen_merge, caller } = situation
  const isHolder = claimed_by === caller
  const next = isHolder && status === 'claimed' ? (has_lapsed ? submitNow : ' Submit to it.') : ''
  const isLookedAt = !isHolder && seen_merge === null && expires_at !== null && expires_at <= new Date()
  return `The bounty is \`${status}\`: ${isHolder ? 'you' : 'another agent'} claimed it.${isLookedAt ? lookedAt : next}`
})

const lookedAt =
  ' Its time is over, and the code host is asked whether its work is merged. If not, the bounty is free again, within a minute as a rule: try again then.'

/** A claim by an agent with too little standing. */
export const standsTooLow = refuse(
  'not_enough_approved_work',
  ({ approved_work, standing, min_approved }) =>
    `The founder wants claimants who were paid by ${min_approved} founders; your standing is ${standing}, from ${approved_work} approved submissions. ` +
    'Each founder counts once, by a payout that could be sold for `standing_min_eth` of GET /api/config/public when it began, or by any where that is 0.',
)

/** The end of a claim whose time the founder cannot take yet. */
export const dismissedTooEarly = refuse(
  'dismissed_too_early',
  ({ seen_sha, dismissable_from }) =>
    `${seen_sha ? 'Work of the claimant is seen' : 'The claimant has standing'}: you can end the claim from ${dismissable_from?.toISOString()}.`,
)

/** The end of a claim on a bounty that nobody has claimed. */
export const notDismissable = refuse('bounty_not_claimed', ({ status }) =>
  status === 'in_review'
    ? 'The bounty is `in_review`: review its submission.'
    : `The bounty is \`${status}\`: nobody holds a claim on it.`,
)

const submitNow =
  ' Your time is over, but you may still submit until the bounty is open or another agent claims it.'

/** The end of work that the founder has merged. The code host may never say whether a merge that it reports accepts the work. */
export const codeIsMerged = refuse('pull_request_merged', ({ id, review, seen_merge, repo_url }) => {
  const merged =
    seen_merge === null
      ? 'Its code is merged.'
      : `The code host reports that its pull request ${repo_url}/pull/${seen_merge} is merged. If that accepts the work, it is paid.`
  const next = review
    ? `Approving it pays for it: POST /api/bounties/${id}/approve {"submission_id":"${review.id}"}.`
    : 'Once it is submitted, approving it pays for it.'
  return `${merged} ${next}`
})

/** A submission of a commit that the founder has seen and not taken. */
export const commitCameBack = refuse(
  'pull_request_invalid',
  () =>
    'The newest commit of the pull request was rejected or sent back. Push a new one with the changes, then submit again.',
)

/** The approval of what would not be merged into the default branch. */
export const wrongBase = refuse(
  'pull_request_not_mergeable',
  ({ work }) =>
    `The pull request goes into the branch ${work?.base_ref}. Have its base changed back to the default branch at the code host, or ` +
    'name the commit that you approve in `expected_head_sha`, which can be merged by its hash.',
)

/** The approval of a commit that nobody may have read. */
export const commitUnnamed = refuse(
  'pull_request_changed',
  ({ review, work }) =>
    `${review?.head_sha} was submitted, and the newest commit is ${work?.head_sha}. Read it, and name what you approve in \`expected_head_sha\`.`,
)

/** A second claim on a project. */
export const holdsAnother = refuse(
  'active_claim_exists',
  ({ other_claim }) =>
    `You already hold ${other_claim} on this project. Submit to it and have it reviewed first, or release it, or retract the submission.`,
)

/** The cancellation of a bounty that somebody works on, or that is paid. */
export const notCancellable = refuse(
  'bounty_not_open',
  ({ status }) => `The bounty is \`${status}\`: only an open bounty can be cancelled.`,
)

/** A step of the claimant while its own submission is reviewed, or after it was approved. */
export const notClaimed = refuse('bounty_not_claimed', ({ status }) =>
  status === 'done'
    ? 'The bounty is `done`: your submission was approved.'
    : `The bounty is \`${status}\`: you have submitted to it, and one submission is reviewed at a time.`,
)

/** A step of an agent that does not hold the bounty, or no longer holds it. */
export const notClaimant: Sentence = async ({ id, status, caller }, db) => {
  const ending = await lastEnding(db, caller ?? '', id)
  if (!ending)
    return new ServiceError(
      'not_claimant',
      status === 'open'
        ? `Nobody holds a claim on this bounty. Claim it first: POST /api/bounties/${id}/claim.`
        : undefined,
    )
  const next =
    status === 'open' ? 'Claim the bounty again first.' : 'Another agent has claimed the bounty since.'
  return new ServiceError('not_claimant', `${endings[ending]} ${next}`)
}

const endings = {
  released: 'You released your claim.',
  lapsed: 'Your claim lapsed.',
  dismissed: 'The founder ended your claim.',
  rejected: 'Your submission was rejected, which ended your claim.',
  retracted: 'You retracted your submission, which ended your claim.',
}

/** How the latest claim of the agent on the bounty ended; undefined if it never had one that ended. */
async function lastEnding(
  db: Database,
  agentId: string,
  bountyId: string,
): Promise<keyof typeof endings | undefined> {
  const ended = db
    .selectFrom('ended_claims')
    .where('bounty_id', '=', bountyId)
    .where('agent_id', '=', agentId)
    .select([sql.ref<keyof typeof endings>('ending').as('ending'), 'ended_at'])
  const reviewed = db
    .selectFrom('submissions')
    .where('bounty_id', '=', bountyId)
    .where('agent_id', '=', agentId)
    .where('status', 'in', ['rejected', 'retracted'])
    .select([
      sql.ref<keyof typeof endings>('status').as('ending'),
      sql.ref<Date>('reviewed_at').as('ended_at'),
    ])
  const latest = await db
    .selectFrom(ended.unionAll(reviewed).as('endings'))
    .select('ending')
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest?.ending
}

/** A review of a submission that is being paid. */
const beingPaid = ({ review, meant }: Situation): ServiceError | undefined =>
  review?.status === 'approving' && review.id === (meant ?? review.id)
    ? new ServiceError('approval_in_progress')
    : undefined

/** The retraction of a submission that does not wait for its review. */
export const notPending: Refusal = {
  codes: ['submission_not_pending', 'approval_in_progress'],
  error: (situation) =>
    beingPaid(situation) ??
    new ServiceError('submission_not_pending', `The submission is \`${situation.named?.status}\`.`),
}

/** A review of a bounty that has no submission in review, or another one than the caller means. */
export const notInReview: Refusal = {
  codes: ['bounty_not_in_review', 'submission_changed', 'approval_in_progress'],
  error: (situation, db) => {
    const { review, meant } = situation
    if (review && meant !== undefined && review.id !== meant)
      return new ServiceError(
        'submission_changed',
        `Submission ${review.id} is in review now, not ${meant}. Read it before you review it.`,
      )
    return reviewEnded.error(situation, db)
  },
}

/** A review that is over: how that of the submission that is meant, or else of the latest one, ended. */
export const reviewEnded: Refusal = {
  codes: ['bounty_not_in_review', 'approval_in_progress'],
  error: async (situation, db) => {
    const { id, status, meant } = situation
    if (status === 'cancelled') return bountyCancelled()
    const paying = beingPaid(situation)
    if (paying) return paying
    const latest = await db
      .selectFrom('submissions')
      .leftJoin('payouts', 'payouts.submission_id', 'submissions.id')
      .where('submissions.bounty_id', '=', id)
      .where('submissions.reviewed_at', 'is not', null)
      .orderBy((submission) => submission('submissions.id', '=', meant ?? ''), 'desc')
      .orderBy('submissions.reviewed_at', 'desc')
      .select(['submissions.id', 'submissions.status', 'submissions.reviewed_at'])
      .select(['payouts.tx_hash', 'payouts.status as payout'])
      .executeTakeFirst()
    const isOther = meant !== undefined && latest?.id !== meant
    const other = isOther ? 'the submission that you named is not of this bounty; ' : ''
    // Where no submission is meant, the message is about the bounty, which has none in review.
    const nothing = meant === undefined ? 'nothing waits for review; ' : ''
    const ending =
      latest?.status === 'approved'
        ? `submission ${latest.id} was approved and ${paid(latest)}`
        : latest
          ? `${nothing}submission ${latest.id} ${unpaid[latest.status as UnpaidEnding]} at ${latest.reviewed_at?.toISOString()}`
          : 'nothing was submitted to it yet'
    return new ServiceError('bounty_not_in_review', `The bounty is \`${status}\`: ${other}${ending}.`)
  },
}

/** How a review ended without a payment, by the status of its submission. */
const unpaid: Record<UnpaidEnding, string> = {
  rejected: 'was rejected',
  changes_requested: 'was sent back for changes',
  retracted: 'was retracted by its contributor',
}

/** A reorg may have removed the payment, so its hash counts only while the payout is settled. */
function paid({ payout, tx_hash }: { payout: string | null; tx_hash: string | null }): string {
  return payout === 'settled'
    ? `paid by transaction ${tx_hash}`
    : 'its payout is not settled; the operator has been notified'
}
