import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import type { DB } from '../db/generated/tables.ts'
import type { AcceptedBy } from './acceptance.ts'
import {
  type Condition,
  canBeDismissed,
  goesToDefault,
  hasEnoughStanding,
  hasExtensionLeft,
  hasNoDepositUnderWay,
  hasNoOtherClaim,
  hasNotGivenUpTooOften,
  hasNotLapsed,
  hasProgress,
  hasRepository,
  hasWallet,
  isFree,
  isNamedCommit,
  isNotBarred,
  isNotDismissed,
  isNotFundingWallet,
  isNotMerged,
  isOtherCommit,
  isUnseen,
  nothingPays,
} from './conditions.ts'
import {
  claimExpiresAt,
  claimHasLapsed,
  claimTime,
  freshTime,
  postponed,
  proofIsOver,
  proofTime,
  reviewIsOverdue,
  shortTime,
} from './deadlines.ts'
import {
  notCancellable,
  notClaimed,
  notDismissable,
  notFree,
  notInReview,
  notPending,
  type Refusal,
  reviewEnded,
} from './refusals.ts'
import type { Role } from './roles.ts'
import type { BountyStatus, SubmissionStatus } from './statuses.ts'

/** A way in which a bounty moves, and a submission with it. A request is checked in this order: role, statuses, `if`. */
export interface Edge {
  /** The statuses of the bounty that it leads from, and the one that it leads to. */
  bounty: readonly [from: readonly BountyStatus[], to: BountyStatus]
  /** The statuses of its submission in review; `null` where the edge creates it. Omitted where no submission moves. */
  submission?: readonly [from: SubmissionStatus | null, to: SubmissionStatus]
  /** Who moves it. */
  by: Role
  /** The refusal of a request while bounty or submission has another status. */
  otherwise?: Refusal
  /** What must hold as well, in the order in which it is checked. */
  if?: readonly Condition[]
  /** For edges of the clock: the condition of the rows whose time is over. */
  due?: RawBuilder<boolean>
  /** Columns of the bounty that it writes beside the status. What a status means for the others, `columnsAt` in move.ts says. */
  set?(given: Given): UpdateObject<DB, 'bounties'>
  /** Columns of the submission that it writes. */
  setSubmission?(given: Given): UpdateObject<DB, 'submissions'>
  /** How it ends the current claim, if there is one: recorded as `claim.released`, `claim.lapsed` or `claim.dismissed`. Where a
   * review ends the claim, the submission says so. */
  ends?: 'released' | 'lapsed' | 'dismissed'
  /** Whether it shows work of a claim. Where it is the first, `claim.proved` is recorded before the others. */
  proves?: true
  /** The entries of the log that it records, in this order, after that of a claim that it ends. */
  records?: readonly Recorded[]
}

/** What an edge may record. */
export type Recorded =
  | `bounty.${'claimed' | 'cancelled'}`
  | `claim.${'proved' | 'extended'}`
  | `submission.${'created' | 'approved' | 'rejected' | 'changes_requested' | 'retracted' | 'overdue'}`
  | `payout.${'confirmed' | 'failed'}`

/** What `set` and `setSubmission` are given. */
export interface Given {
  /** The agent that asks. */
  caller: string | null
  /** Hours that a claim lasts by difficulty, as JSON. */
  hours: string
  /** How often the caller has given the bounty up lately. */
  given_up: number
  /** That of the caller. */
  standing: number
  /** The commit by which work is seen. */
  head: string | null
  review_notes: string | null
  accepted_by: AcceptedBy | null
  bar: boolean
}

/** What ends a review without a payment. Nothing may be able to pay the submission any more. */
const unpaid = {
  if: [nothingPays],
  setSubmission: ({ review_notes }: Given) => ({ review_notes }),
} as const
/** What a claim sets whose work is seen. */
const seen = ({ head }: Given) => ({ seen_sha: head })
const proven = (given: Given) => ({ ...seen(given), proof_due_at: null, look_at: claimExpiresAt })
/** Whether the project's own repository is lost. */
export const whileLost = sql<boolean>`(select repository_lost_at is not null from projects where projects.id = project_id)`
const byFounder = { by: 'founder', otherwise: notInReview, if: [nothingPays, isNotMerged] } as const

/**
 * The life of a bounty and of its submissions after it is posted: one row for each way in which they move. Only move.ts writes a
 * status, and only by a row of this table. Preflight reads the table, too; the triggers of the database and the diagram in
 * server/README.md are compared with it.
 */
export const edges = {
  /** The first claimant wins. It ends another agent's lapsed claim. */
  claim: {
    bounty: [['open', 'claimed'], 'claimed'],
    by: 'any other agent',
    otherwise: notFree,
    if: [
      hasEnoughStanding,
      isFree,
      hasRepository,
      isNotBarred,
      isNotDismissed,
      hasNotGivenUpTooOften,
      hasNoOtherClaim,
    ],
    set: ({ caller, hours, given_up, standing }) => {
      const time = given_up ? shortTime(hours) : freshTime(hours)
      return {
        claimed_by: caller,
        claimed_at: sql<Date>`clock_timestamp()`,
        ...proofTime(hours, standing, time.claim_expires_at),
        ...time,
      }
    },
    ends: 'lapsed',
    records: ['bounty.claimed'],
  },
  /** Work of the claimant is seen at the code host: the whole time of the claim counts. */
  prove: {
    bounty: [['claimed'], 'claimed'],
    by: 'claimant',
    otherwise: notClaimed,
    if: [isUnseen],
    set: proven,
    records: ['claim.proved'],
  },
  /** Extends the claim by half the time of a new one. */
  extend: {
    bounty: [['claimed'], 'claimed'],
    by: 'claimant',
    otherwise: notClaimed,
    if: [hasNotLapsed, hasExtensionLeft, hasProgress],
    proves: true,
    set: ({ hours, ...given }) => ({
      ...proven({ hours, ...given }),
      claim_expires_at: sql<Date>`${claimExpiresAt} + ${claimTime(hours)} / 2`,
      extended_by: sql<string>`bounties.extended_by + ${claimTime(hours)} / 2`,
      postponed_from: sql<Date>`bounties.postponed_from + ${claimTime(hours)} / 2`,
      extensions_left: sql<number>`bounties.extensions_left - 1`,
    }),
    records: ['claim.extended'],
  },
  /** The code host is away, so nothing can be submitted: the claim is kept for an hour more, and for a day in total. */
  postpone: {
    bounty: [['claimed'], 'claimed'],
    by: 'claimant',
    otherwise: notClaimed,
    if: [hasNotLapsed],
    set: () => postponed,
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
    due: claimHasLapsed,
    ends: 'lapsed',
  },
  /** The proof time is over, and the code host shows no work. */
  lapseUnproved: {
    bounty: [['claimed'], 'open'],
    by: 'the clock',
    due: proofIsOver,
    ends: 'lapsed',
  },
  /** The founder frees a bounty that nothing is seen of, or that takes too long. */
  dismiss: {
    bounty: [['claimed'], 'open'],
    by: 'founder',
    otherwise: notDismissable,
    if: [isNotMerged, canBeDismissed],
    ends: 'dismissed',
  },
  /** Also after the claim has lapsed, until the clock opens the bounty or another agent claims it. */
  submit: {
    bounty: [['claimed'], 'in_review'],
    submission: [null, 'pending'],
    by: 'claimant',
    otherwise: notClaimed,
    if: [isOtherCommit],
    set: seen,
    records: ['submission.created'],
  },
  /** The founder is late with the review: this is logged once, and the submission keeps waiting. */
  overdue: {
    bounty: [['in_review'], 'in_review'],
    submission: ['pending', 'pending'],
    by: 'the clock',
    due: reviewIsOverdue,
    setSubmission: () => ({ overdue_at: sql<Date>`now()` }),
    records: ['submission.overdue'],
  },
  /** The payout begins, because the founder approves or has merged the work. It goes on if a request ends early. */
  approve: {
    bounty: [['in_review'], 'in_review'],
    submission: ['pending', 'approving'],
    by: 'founder',
    otherwise: reviewEnded,
    if: [hasWallet, isNotFundingWallet, goesToDefault, isNamedCommit, hasNoDepositUnderWay],
    setSubmission: ({ review_notes, accepted_by }) => ({
      review_notes,
      accepted_by,
      acceptance_blocked: null,
    }),
  },
  /** The chain shows a payment that this database does not know: it was reported failed, or the database fell back. `pay` follows. */
  recognize: {
    bounty: [['in_review'], 'in_review'],
    submission: ['pending', 'approving'],
    by: 'a payment',
  },
  /** The chain has finally refused the payment. The founder may approve again. */
  fail: {
    bounty: [['in_review'], 'in_review'],
    submission: ['approving', 'pending'],
    by: 'a payment',
    setSubmission: () => ({ review_notes: null, accepted_by: null }),
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
    ...byFounder,
    bounty: [['in_review'], 'open'],
    submission: ['pending', 'rejected'],
    setSubmission: ({ review_notes, bar }) => ({ review_notes, bar }),
    records: ['submission.rejected'],
  },
  /** The claimant keeps the bounty, with the full time and all extensions, even if its claim began with less. */
  requestChanges: {
    ...unpaid,
    ...byFounder,
    bounty: [['in_review'], 'claimed'],
    submission: ['pending', 'changes_requested'],
    set: ({ hours }) => ({ ...freshTime(hours), look_at: freshTime(hours).claim_expires_at }),
    records: ['submission.changes_requested'],
  },
  retract: {
    ...unpaid,
    bounty: [['in_review'], 'open'],
    submission: ['pending', 'retracted'],
    by: 'contributor',
    otherwise: notPending,
    setSubmission: () => ({ while_lost: whileLost }),
    records: ['submission.retracted'],
  },
  cancel: {
    bounty: [['open'], 'cancelled'],
    by: 'founder',
    otherwise: notCancellable,
    records: ['bounty.cancelled'],
  },
} as const satisfies Record<string, Edge>
