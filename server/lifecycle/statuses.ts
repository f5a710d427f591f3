/** Where a bounty can be. Only lists of its founder and the board show a cancelled one. */
export const bountyStatuses = ['open', 'claimed', 'in_review', 'done', 'cancelled'] as const

/** One of {@link bountyStatuses}. */
export type BountyStatus = (typeof bountyStatuses)[number]

/** The statuses of a submission whose review ended without a payment: it must never be paid. */
export const unpaidEndings = ['rejected', 'changes_requested', 'retracted'] as const

/** One of {@link unpaidEndings}. */
export type UnpaidEnding = (typeof unpaidEndings)[number]

/** Where a submission can be: `approving` while its payout runs. */
export const submissionStatuses = ['pending', 'approving', 'approved', ...unpaidEndings] as const

/** One of {@link submissionStatuses}. */
export type SubmissionStatus = (typeof submissionStatuses)[number]

/** Whether the review of a submission with this status ended without a payment. */
export const endedUnpaid = (status: string | null): status is UnpaidEnding =>
  (unpaidEndings as readonly (string | null)[]).includes(status)
