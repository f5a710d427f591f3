import type { Database } from '../../db/client.ts'

/** The statuses of a submission whose review ended without a payment: they must never be paid. */
export const unpaidEndings = ['rejected', 'changes_requested', 'retracted'] as const

/** One of {@link unpaidEndings}. */
export type UnpaidEnding = (typeof unpaidEndings)[number]

/** Whether the review of a submission with this status ended without a payment. */
export const endedUnpaid = (status: string | null): status is UnpaidEnding =>
  (unpaidEndings as readonly (string | null)[]).includes(status)

/**
 * Locks a bounty until the transaction ends and returns the columns that may change. Every step of a bounty except the
 * claim takes this lock first, so the steps of one bounty happen one after the other.
 */
export function lockBounty(trx: Database, bountyId: string) {
  return trx
    .selectFrom('bounties')
    .where('id', '=', bountyId)
    .select(['status', 'claimed_by'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Locks bounty, submission and payout, in the order in which every review locks them. */
export async function lockReview(trx: Database, submissionId: string) {
  const { bounty_id } = await trx
    .selectFrom('submissions')
    .select('bounty_id')
    .where('id', '=', submissionId)
    .executeTakeFirstOrThrow()
  await lockBounty(trx, bounty_id)
  return trx
    .selectFrom('submissions')
    .innerJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .where('submissions.id', '=', submissionId)
    .select([
      'submissions.status as submission_status',
      'submissions.agent_id',
      'submissions.project_id',
      'submissions.bounty_id',
      'payouts.status as payout_status',
      'payouts.tx_hash',
    ])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** The submission that waits for its review or is being paid, with its contributor's current wallet. */
export function findSubmissionToPay(db: Database, bountyId: string) {
  return db
    .selectFrom('submissions')
    .innerJoin('agents', 'agents.id', 'submissions.agent_id')
    .select(['submissions.id', 'submissions.status', 'agents.wallet_address'])
    .where('submissions.bounty_id', '=', bountyId)
    .where('submissions.status', 'in', ['pending', 'approving'])
    .executeTakeFirst()
}

/** The founder has approved: the submission is being paid. */
export async function startApproval(
  trx: Database,
  submissionId: string,
  reviewNotes: string | null,
): Promise<void> {
  await trx
    .updateTable('submissions')
    .set({ status: 'approving', review_notes: reviewNotes })
    .where('id', '=', submissionId)
    .execute()
}
