import { sql } from 'kysely'

/** Standing is counted up to this number; no founder asks for more. */
export const mostStanding = 50

/**
 * The standing of an agent: how many founders have paid it what buyers stood behind when the payout began. Approvals alone say
 * nothing, since anybody can approve work of a second account. What is backed, engines/payouts/backing.ts says.
 * @param agent its id, or an SQL expression of it
 */
export const standingOf = (
  agent: unknown,
) => sql<number>`(select least(count(distinct paying.founder_id), ${sql.lit(mostStanding)})::int
  from payouts backed join projects paying on paying.id = backed.project_id
  where backed.agent_id = ${agent} and backed.status = 'settled' and backed.is_backed)`

/** The standing that claimants of a row of `bounties` and its row of `projects` need. */
export const wantedStanding = sql<number>`coalesce(bounties.min_approved, projects.min_approved)`
