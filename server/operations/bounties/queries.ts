import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

/** A bounty with what its role and state checks need from its project. */
export function findBountyForAction(db: Database, bountyId: string) {
  return db
    .selectFrom('bounties')
    .innerJoin('projects', 'projects.id', 'bounties.project_id')
    .where('bounties.id', '=', bountyId)
    .select([
      'bounties.id',
      'bounties.status',
      'bounties.claimed_by',
      'bounties.project_id',
      'bounties.reward_amount',
      'projects.founder_id',
      'projects.founder_wallet',
      'projects.token_address',
      'projects.repo_url',
    ])
    .executeTakeFirst()
}

/**
 * Gives an open bounty to `agentId` and returns whether it was still open: one statement, so of any number of
 * claimants exactly one gets it. Violates `bounties_one_active_claim` where the agent has another one on the project.
 */
export async function claimOpenBounty(trx: Database, bountyId: string, agentId: string): Promise<boolean> {
  const claimed = await trx
    .updateTable('bounties')
    .set({ status: 'claimed', claimed_by: agentId, claimed_at: sql`clock_timestamp()` })
    .where('id', '=', bountyId)
    .where('status', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}
