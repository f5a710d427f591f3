import type { Database } from '../../../db/client.ts'

/** What an approval needs to know about its bounty. */
export type BountyToApprove = NonNullable<Awaited<ReturnType<typeof findBountyToApprove>>>

/**
 * A bounty with its project's wallet and token, and the submission that is in review or being paid;
 * `submission_id` is null if there is none. `paid_sha` is the commit of an earlier approval.
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
      'payouts.head_sha as paid_sha',
    ])
    .executeTakeFirst()
}
