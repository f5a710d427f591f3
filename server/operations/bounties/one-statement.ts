import { sql } from 'kysely'
import { activityEntries } from '../../db/activity.ts'
import { type IdempotentResponse, storeIdempotentResponse } from '../../db/idempotent-response.ts'
import { prepared } from '../../db/prepared.ts'

interface NewClaim extends Partial<IdempotentResponse> {
  id: string
  agent_id: string
  activity_id: string
}

/**
 * Gives an open bounty to `agent_id` and tells the feed, unless the agent founded its project; no row where there is
 * no such bounty. One statement, so of any number of claimants exactly one gets it. Violates
 * `bounties_one_active_claim` where the agent has another one on the project.
 */
export const claimOpenBounty = prepared((db, claim: NewClaim) => {
  const { id, agent_id, activity_id } = claim
  const claiming = db
    .with('found', (cte) =>
      cte
        .selectFrom('bounties')
        .innerJoin('projects', 'projects.id', 'bounties.project_id')
        .where('bounties.id', '=', id)
        .select(['bounties.id', 'bounties.status', 'bounties.claimed_by', 'projects.founder_id']),
    )
    .with('claimed', (cte) =>
      cte
        .updateTable('bounties')
        .from('found')
        .set({ status: 'claimed', claimed_by: agent_id, claimed_at: sql`clock_timestamp()` })
        .whereRef('bounties.id', '=', 'found.id')
        .where('bounties.status', '=', 'open')
        .where('found.founder_id', '!=', agent_id)
        .returning(['bounties.id', 'bounties.project_id']),
    )
    .with('entry', () =>
      activityEntries(
        'bounty.claimed',
        {
          id: sql.val(activity_id),
          agent_id: sql.val(agent_id),
          project_id: sql.ref('claimed.project_id'),
          bounty_id: sql.ref('claimed.id'),
        },
        sql`claimed`,
      ),
    )
  return storeIdempotentResponse(claiming, 'claimed', claim)
    .selectFrom('found')
    .select((found) => [
      'found.status',
      'found.claimed_by',
      found('found.founder_id', '=', agent_id).as('is_founder'),
      found.exists(found.selectFrom('claimed').select('claimed.id')).as('is_claimed'),
    ])
})

/**
 * Stores a submission, which is `pending`, moves its bounty from `claimed` to `in_review` and tells the feed, while the
 * bounty is claimed by `agent_id`; answers what of the bounty decided that, and the submission where there is one.
 * Locks the bounty as `lockBounty` does.
 */
export const submitToClaimedBounty = prepared(
  (db, submission: Record<'id' | 'bounty_id' | 'agent_id' | 'pr_url' | 'activity_id', string>) => {
    const { id, bounty_id, agent_id, pr_url, activity_id } = submission
    return db
      .with('locked', (cte) =>
        cte
          .selectFrom('bounties')
          .where('id', '=', bounty_id)
          .select(['id', 'status', 'claimed_by', 'project_id'])
          .forNoKeyUpdate(),
      )
      .with('submitted', (cte) =>
        cte
          .insertInto('submissions')
          .columns(['id', 'bounty_id', 'agent_id', 'pr_url'])
          .expression(
            cte
              .selectFrom('locked')
              .where('locked.claimed_by', '=', agent_id)
              .where('locked.status', '=', 'claimed')
              .select([
                sql.val(id).as('id'),
                'locked.id as bounty_id',
                sql.val(agent_id).as('agent_id'),
                sql.val(pr_url).as('pr_url'),
              ]),
          )
          .returning(['id', 'bounty_id', 'status', 'created_at']),
      )
      .with('moved', (cte) =>
        cte
          .updateTable('bounties')
          .from('submitted')
          .set({ status: 'in_review' })
          .whereRef('bounties.id', '=', 'submitted.bounty_id'),
      )
      .with('entry', () =>
        activityEntries(
          'submission.created',
          {
            id: sql.val(activity_id),
            agent_id: sql.val(agent_id),
            project_id: sql.ref('locked.project_id'),
            bounty_id: sql.ref('submitted.bounty_id'),
            submission_id: sql.ref('submitted.id'),
          },
          sql`submitted, locked`,
        ),
      )
      .selectFrom('locked')
      .leftJoin('submitted', 'submitted.bounty_id', 'locked.id')
      .select(['locked.status', 'locked.claimed_by', 'submitted.status as submitted', 'submitted.created_at'])
  },
)
