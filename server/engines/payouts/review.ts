import type { Database } from '../../db/client.ts'
import type { Moving } from '../../lifecycle/move.ts'
import { lockBounty } from '../../lifecycle/situation.ts'

/** Locks bounty, submission and payout, in this order. */
export async function lockPayout(trx: Database, submissionId: string) {
  const { bounty_id } = await trx
    .selectFrom('submissions')
    .select('bounty_id')
    .where('id', '=', submissionId)
    .executeTakeFirstOrThrow()
  await lockBounty(trx, bounty_id)
  const locked = await trx
    .selectFrom('submissions')
    .innerJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .where('submissions.id', '=', submissionId)
    .select(['submissions.status as submission_status', 'submissions.agent_id', 'submissions.project_id'])
    .select('submissions.accepted_by')
    .select(['payouts.status as payout_status', 'payouts.tx_hash', 'payouts.amount', 'payouts.fee'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { ...locked, id: bounty_id, submission_id: submissionId } satisfies Moving
}
