import type { Database } from '../db/client.ts'
import type { ErrorCode } from '../errors.ts'
import { mostGivenUp } from './deadlines.ts'
import { mergeOf } from './pull-requests/attribution.ts'
import {
  codeIsMerged,
  commitCameBack,
  commitUnnamed,
  dismissedTooEarly,
  holdsAnother,
  notFree,
  type Sentence,
  standsTooLow,
  wrongBase,
} from './refusals.ts'
import type { Situation } from './situation.ts'

/** What must hold before a bounty moves. */
export interface Condition {
  /** In words. */
  says: string
  /** The code of the error where it does not hold. */
  code: ErrorCode
  /** @throws ServiceError a more exact one than that of `refusal` */
  holds(situation: Situation, trx: Database): boolean | Promise<boolean>
  /** The error with a sentence of its own. Default: that of the code. */
  refusal?: Sentence
  /** The constraint or trigger by which the database keeps it where two requests come at once. */
  keptBy?: string
}

export const hasEnoughStanding = {
  says: 'the agent has the standing that the founder wants',
  code: 'not_enough_approved_work',
  holds: ({ standing, min_approved }: Situation) => standing >= min_approved,
  refusal: standsTooLow.error,
} as const satisfies Condition

export const isFree = {
  says: "it is open, or another agent's claim on it has lapsed",
  code: 'bounty_not_open',
  holds: ({ status, claimed_by, has_lapsed, caller }: Situation) =>
    status === 'open' || (has_lapsed && claimed_by !== caller),
  refusal: notFree.error,
  keptBy: 'bounties_claim_kept',
} as const satisfies Condition

export const hasRepository = {
  says: "the service can read the project's repository",
  code: 'repository_lost',
  holds: ({ repository_lost_at }: Situation) => repository_lost_at === null,
} as const satisfies Condition

export const isNotDismissed = {
  says: 'the founder has not ended a claim of the agent on it within the time of one claim',
  code: 'claim_dismissed',
  holds: ({ dismissed_until }: Situation) => !dismissed_until,
} as const satisfies Condition

export const isNotBarred = {
  says: 'its founder has not barred the agent from it',
  code: 'claim_barred',
  holds: ({ is_barred }: Situation) => !is_barred,
} as const satisfies Condition

export const hasNotGivenUpTooOften = {
  says: `the agent's claims on it have ended without a payment, other than by the founder's dismissal, fewer than ${mostGivenUp} times within the time of one claim`,
  code: 'claimed_too_often',
  holds: ({ given_up }) => given_up < mostGivenUp,
} as const satisfies Condition

export const hasNoOtherClaim = {
  says: 'the agent has no other bounty of the project, claimed or in review',
  code: 'active_claim_exists',
  holds: ({ other_claim }) => !other_claim,
  refusal: holdsAnother.error,
  keptBy: 'bounties_one_active_claim',
} as const satisfies Condition

export const hasNotLapsed = {
  says: 'the claim has not lapsed',
  code: 'claim_lapsed',
  holds: ({ has_lapsed }: Pick<Situation, 'has_lapsed'>) => !has_lapsed,
} as const satisfies Condition

export const hasExtensionLeft = {
  says: 'an extension is left',
  code: 'no_extension_left',
  holds: ({ extensions_left }: Pick<Situation, 'extensions_left'>) => (extensions_left ?? 0) > 0,
} as const satisfies Condition

export const hasProgress = {
  says: 'a commit of work is seen that was not seen before',
  code: 'no_progress',
  holds: ({ head, seen_sha }: Situation) => head != null && head !== seen_sha,
} as const satisfies Condition

export const isOtherCommit = {
  says: 'another commit than those that were rejected or sent back, unless its merge pays for it',
  code: 'pull_request_invalid',
  holds: ({ head, is_accepted, came_back }: Situation) =>
    is_accepted === true || head == null || !came_back.includes(head),
  refusal: commitCameBack.error,
} as const satisfies Condition

export const isUnseen = {
  says: 'no work was seen yet',
  code: 'no_progress',
  holds: ({ seen_sha }: Situation) => seen_sha === null,
} as const satisfies Condition

export const canBeDismissed = {
  says: 'half of its time, without extensions, is over, or no work is seen: then after an hour, or at once if the claimant has no standing',
  code: 'dismissed_too_early',
  holds: ({ can_dismiss }: Situation) => can_dismiss === true,
  refusal: dismissedTooEarly.error,
} as const satisfies Condition

export const hasWallet = {
  says: 'the contributor has a wallet',
  code: 'contributor_wallet_missing',
  holds: ({ review }) => review?.wallet_address != null,
} as const satisfies Condition

/** A payout reads what is locked on the chain. */
export const hasNoDepositUnderWay = {
  says: 'no deposit of dollars for it is under way',
  code: 'dollars_in_flight',
  async holds({ id }, trx) {
    const queued = trx.selectFrom('deposits').where('bounty_id', '=', id).where('status', '=', 'queued')
    return (await queued.select('bounty_id').executeTakeFirst()) === undefined
  },
} as const satisfies Condition

export const isNotFundingWallet = {
  says: 'that wallet is not the one that funds the project',
  code: 'contributor_wallet_is_founders',
  holds: ({ review, founder_wallet }) =>
    review?.wallet_address?.toLowerCase() !== founder_wallet?.toLowerCase(),
} as const satisfies Condition

/** What the code host shows of the work; null also where it has hidden the pull request, of which nobody can name a commit then. */
const shown = (work: Situation['work']) => (work?.state === 'gone' && !work.merged ? null : work)

/**
 * What is paid has to reach the default branch, as a named commit can by its hash, whichever branch is the default one by now. What is
 * not known of the pull request refuses nothing here.
 */
export const goesToDefault = {
  says: 'the pull request goes into the default branch, or the commit is named',
  code: 'pull_request_not_mergeable',
  holds: ({ head, work }) => head != null || work?.merged === true || shown(work)?.into_default !== false,
  refusal: wrongBase.error,
} as const satisfies Condition

export const isNamedCommit = {
  says: 'the commit is named, where commits came after the submission',
  code: 'pull_request_changed',
  holds: ({ head, review, work }) =>
    head != null || !review?.head_sha || (shown(work)?.head_sha ?? review.head_sha) === review.head_sha,
  refusal: commitUnnamed.error,
} as const satisfies Condition

/** The gate of every end of a submission without a payment. While one is possible, the error says more. */
export const nothingPays = {
  says: 'no payment was made, and no transaction can still make one',
  code: 'approval_in_progress',
  async holds({ review, unpaid }, trx) {
    if (unpaid?.submissionId !== review?.id) return false
    await unpaid?.confirm(trx)
    return unpaid !== undefined
  },
} as const satisfies Condition

const dateOf = (text: Date | string | null): Date | null => (text === null ? null : new Date(text))

/** What was taken is paid for: nothing else ends the work of the agent that holds the bounty. */
export const isNotMerged = {
  says: "nobody but its author has merged the contributor's pull request",
  code: 'pull_request_merged',
  holds({ work, seen_merge }) {
    // What that merge means is read at the code host within seconds, or was.
    if (seen_merge !== null) return false
    if (!work) return true
    // Postgres has them in JSON.
    const opened_at = dateOf(work.opened_at)
    const merged_at = dateOf(work.merged_at)
    const merge_counts_from = new Date(work.merge_counts_from)
    return mergeOf({ ...work, opened_at, merged_at }, { ...work, merge_counts_from }) !== 'accepted'
  },
  refusal: codeIsMerged.error,
} as const satisfies Condition
