import { type RawBuilder, sql } from 'kysely'
import { activityEntries } from './activity.ts'

/** How a claim ends without a submission. */
type Ending = 'released' | 'lapsed'

/**
 * The parts of a statement that ends claims without a submission: the insert into `ended_claims` and the entries of the
 * log, as bodies of common table expressions. The statement itself updates the bounties.
 * @param claims a `from` clause with one row for each claim: `id` and `project_id` of the bounty, `former_claimant` and
 * `formerly_claimed_at`
 * @param entryId the id of a claim's entry
 */
export function endedClaims(
  ending: Ending,
  claims: RawBuilder<unknown>,
  entryId: RawBuilder<unknown>,
): { rows: RawBuilder<object>; entries: RawBuilder<object> } {
  return {
    rows: sql`(insert into ended_claims (bounty_id, agent_id, claimed_at, ending)
      select id, former_claimant, formerly_claimed_at, ${sql.lit(ending)} from ${claims})`,
    entries: activityEntries(
      { type: `claim.${ending}` },
      {
        id: entryId,
        agent_id: sql`former_claimant`,
        project_id: sql`project_id`,
        bounty_id: sql.ref('id'),
      },
      claims,
    ),
  }
}
