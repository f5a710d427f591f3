import type { Database } from '../../../db/client.ts'

/** What an approval needs to know about its bounty. */
export interface BountyToApprove {
  id: string
  project_id: string
  status: string
  reward_amount: number
  founder_wallet: string | null
  token_address: string | null
  /** The submission that is in review or being paid. */
  submission_id: string | null
  submission_status: string | null
  /** Of the submission. */
  pr_url: string | null
  /** Of the project's repository. */
  repo_url: string | null
  claimed_at: Date | null
  /** Of the contributor. */
  wallet_address: string | null
  /** Of an earlier approval of this submission. */
  payout_status: string | null
  /** The commit that it approved. */
  paid_sha: string | null
}

/**
 * A bounty with its project's wallet and token, and the submission that is in review or being paid, with its
 * contributor's current wallet; `submission_id` is null if there is none.
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
      'bounties.project_id',
      'bounties.status',
      'bounties.reward_amount',
      'bounties.claimed_at',
      'projects.founder_id',
      'projects.founder_wallet',
      'projects.token_address',
      'submissions.id as submission_id',
      'submissions.status as submission_status',
      'submissions.pr_url',
      'projects.repo_url',
      'agents.wallet_address',
      'payouts.status as payout_status',
      'payouts.head_sha as paid_sha',
    ])
    .executeTakeFirst()
}
