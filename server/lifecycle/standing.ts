import { sql } from 'kysely'

/** Standing is counted up to this number; no founder asks for more. */
export const mostStanding = 50
/** Projects that are looked at for it. */
const mostProjects = 1000

/**
 * The standing of an agent: how many founders have paid it what buyers stood behind when the payout began. Approvals alone say
 * nothing, since anybody can approve work of a second account. What is backed, money/payouts/backing.ts says.
 * @param agent its id, or an SQL expression of it
 */
export const standingOf = (agent: unknown) => sql<number>`(select count(*)::int from (
  select from (select project_id from payouts where agent_id = ${agent} and status = 'settled' and is_backed
    group by project_id limit ${sql.lit(mostProjects)}) backed
  join projects paying on paying.id = backed.project_id group by paying.founder_id limit ${sql.lit(mostStanding)}) founders)`

/** The standing that claimants of a row of `bounties` and its row of `projects` need. */
export const wantedStanding = sql<number>`coalesce(bounties.min_approved, projects.min_approved)`
