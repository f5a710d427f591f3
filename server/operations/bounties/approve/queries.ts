import type { Database } from '../../../db/client.ts'

/** What an approval needs to know of its bounty. */
export interface BountyToApprove {
  id: string
  status: string
  reward_amount: number
  founder_wallet: string | null
  token_address: string | null
  /** The submission that is waiting for review or being paid. */
  submission_id: string | null
  submission_status: string | null
  /** The contributor's. */
  wallet_address: string | null
  /** Of an earlier approval of this submission. */
  payout_status: string | null
}

/**
 * A bounty with what an approval has to know of its project, and the submission that is waiting for review or being
 * paid, with its contributor's wallet as of now; `submission_id` is null where there is none.
 */
export function findBountyToApprove(db: Database, bountyId: string) {
  return db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .leftJoin('submissions', (join) =>
      join
        .onRef('submissions.bounty_id', '=', 'bounties.id')
        .on('submissions.status', 'in', ['pending', 'approving']),
    )
    .leftJoin('agents', 'agents.id', 'submissions.agent_id')
    .leftJoin('payouts', 'payouts.submission_id', 'submissions.id')
    .where('bounties.id', '=', bountyId)
    .select([
      'bounties.id',
      'bounties.status',
      'bounties.reward_amount',
      'projects.founder_id',
      'projects.founder_wallet',
      'projects.token_address',
      'submissions.id as submission_id',
      'submissions.status as submission_status',
      'agents.wallet_address',
      'payouts.status as payout_status',
    ])
    .executeTakeFirst()
}
