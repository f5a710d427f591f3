import { sql, type UpdateObject } from 'kysely'
import type { DB } from '../db/generated/tables.ts'
import {
  type Condition,
  hasExtensionLeft,
  hasNoOtherClaim,
  hasNotLapsed,
  hasWallet,
  isFree,
  isGivenUpSeldom,
  isNotOwnWallet,
  nothingPays,
  type Role,
} from './conditions.ts'
import { claimExpiresAt, claimTime, freshTime, shortTime, sparedUntil } from './deadlines.ts'
import {
  notCancellable,
  notClaimed,
  notFree,
  notInReview,
  notPending,
  type Refusal,
  reviewEnded,
} from './refusals.ts'
import type { BountyStatus, SubmissionStatus } from './statuses.ts'

/** A way in which a bounty moves, and a submission with it. */
export interface Edge {
  /** The statuses of the bounty that it leads from, and the one that it leads to. */
  bounty: readonly [from: readonly BountyStatus[], to: BountyStatus]
  /** Those of the submission in review. It leads from `null` where it stores the submission. Absent: there is none. */
  submission?: readonly [from: SubmissionStatus | null, to: SubmissionStatus]
  /** Who may. */
  by: Role
  /** What is refused where bounty and submission are in other statuses. Only requests are refused. */
  otherwise?: Refusal
  /** What must hold as well, in the order in which it is checked. */
  if?: readonly Condition[]
  /** The columns of the bounty that it writes beside the status; see `columnsAt` in move.ts for what each status implies. */
  set?(given: Given): UpdateObject<DB, 'bounties'>
  /** Those of the submission. */
  setSubmission?(given: Given): UpdateObject<DB, 'submissions'>
  /** How the claim that the bounty has ends by it without a review; recorded as `claim.released` or `claim.lapsed`. */
  ends?: 'released' | 'lapsed'
  /** The entries of the log that it records, in this order. */
  records?: readonly Recorded[]
}

/** What an edge may record. */
export type Recorded =
  | `bounty.${'claimed' | 'cancelled'}`
  | 'claim.extended'
  | `submission.${'created' | 'approved' | 'rejected' | 'changes_requested' | 'retracted' | 'overdue'}`
  | `payout.${'confirmed' | 'failed'}`

/** Values that an edge writes. */
export interface Given {
  /** The agent that asks. */
  caller: string | null
  /** Hours that a claim lasts by difficulty, as JSON. */
  hours: string
  /** How often the caller has given the bounty up lately. */
  given_up: number
  review_notes: string | null
}

/** What ends a review without a payment: it passes the gate, and the submission is never paid. */
const unpaid = {
  by: 'founder',
  otherwise: notInReview,
  if: [nothingPays],
  setSubmission: ({ review_notes }: Given) => ({ review_notes }),
} as const

/**
 * The life of a bounty and of its submissions, a row for each way in which one moves. Nothing else writes their statuses. `move`
 * carries a row out, or refuses by it; preflight reads it; the triggers of the database and the diagram in server/README.md
 * are compared with it.
 */
export const edges = {
  /** The first claimant wins. A lapsed claim of another agent ends by it. */
  claim: {
    bounty: [['open', 'claimed'], 'claimed'],
    by: 'another agent',
    otherwise: notFree,
    if: [isFree, isGivenUpSeldom, hasNoOtherClaim],
    set: ({ caller, hours, given_up }) => ({
      ...{ claimed_by: caller, claimed_at: sql<Date>`clock_timestamp()` },
      ...(given_up ? shortTime(hours) : freshTime(hours)),
    }),
    ends: 'lapsed',
    records: ['bounty.claimed'],
  },
  /** Half the time of a claim is added to its end. */
  extend: {
    bounty: [['claimed'], 'claimed'],
    by: 'claimant',
    otherwise: notClaimed,
    if: [hasNotLapsed, hasExtensionLeft],
    set: ({ hours }) => ({
      claim_expires_at: sql<Date>`${claimExpiresAt} + ${claimTime(hours)} / 2`,
      spared_from: sql<Date>`bounties.spared_from + ${claimTime(hours)} / 2`,
      extensions_left: sql<number>`bounties.extensions_left - 1`,
    }),
    records: ['claim.extended'],
  },
  /** The code host is away, so the claimant cannot submit: its claim does not lapse within the next hour, for a day in all. */
  spare: {
    bounty: [['claimed'], 'claimed'],
    by: 'claimant',
    otherwise: notClaimed,
    if: [hasNotLapsed],
    set: () => sparedUntil,
  },
  release: {
    bounty: [['claimed'], 'open'],
    by: 'claimant',
    otherwise: notClaimed,
    ends: 'released',
  },
  lapse: {
    bounty: [['claimed'], 'open'],
    by: 'the clock',
    ends: 'lapsed',
  },
  /** Also after its claim has lapsed, as long as nobody else has the bounty. */
  submit: {
    bounty: [['claimed'], 'in_review'],
    submission: [null, 'pending'],
    by: 'claimant',
    otherwise: notClaimed,
    records: ['submission.created'],
  },
  /** The founder has time for the review; then this is in its record. The submission waits on. */
  overdue: {
    bounty: [['in_review'], 'in_review'],
    submission: ['pending', 'pending'],
    by: 'the clock',
    setSubmission: () => ({ overdue_at: sql<Date>`now()` }),
    records: ['submission.overdue'],
  },
  /** The payout begins. It is made whatever happens to the request. */
  approve: {
    bounty: [['in_review'], 'in_review'],
    submission: ['pending', 'approving'],
    by: 'founder',
    otherwise: reviewEnded,
    if: [hasWallet, isNotOwnWallet],
    setSubmission: ({ review_notes }) => ({ review_notes }),
  },
  /** The chain shows a payment of a submission that counts as unpaid: one reported failed, or lost with the database. */
  recognize: {
    bounty: [['in_review'], 'in_review'],
    submission: ['pending', 'approving'],
    by: 'a payment',
  },
  /** The chain has refused the payment for good. The founder may approve again. */
  fail: {
    bounty: [['in_review'], 'in_review'],
    submission: ['approving', 'pending'],
    by: 'a payment',
    setSubmission: () => ({ review_notes: null }),
    records: ['payout.failed'],
  },
  pay: {
    bounty: [['in_review'], 'done'],
    submission: ['approving', 'approved'],
    by: 'a payment',
    records: ['submission.approved', 'payout.confirmed'],
  },
  reject: {
    ...unpaid,
    bounty: [['in_review'], 'open'],
    submission: ['pending', 'rejected'],
    records: ['submission.rejected'],
  },
  /** The claimant keeps the bounty, with all the time of a new claim. */
  requestChanges: {
    ...unpaid,
    bounty: [['in_review'], 'claimed'],
    submission: ['pending', 'changes_requested'],
    set: ({ hours }) => freshTime(hours),
    records: ['submission.changes_requested'],
  },
  retract: {
    ...unpaid,
    bounty: [['in_review'], 'open'],
    submission: ['pending', 'retracted'],
    by: 'contributor',
    otherwise: notPending,
    records: ['submission.retracted'],
  },
  /** The pull request names another agent, who submits it: a submission of which nothing shows whose work it is gives way. */
  giveWay: {
    ...unpaid,
    bounty: [['in_review'], 'open'],
    submission: ['pending', 'retracted'],
    by: 'the service',
    otherwise: notPending,
    records: ['submission.retracted'],
  },
  cancel: {
    bounty: [['open'], 'cancelled'],
    by: 'founder',
    otherwise: notCancellable,
    records: ['bounty.cancelled'],
  },
} as const satisfies Record<string, Edge>
