import type { Database } from '../../db/connect.ts'

/** The submission that is waiting for review or being paid, with its contributor's wallet as of now. */
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
