import { type Kysely, sql } from 'kysely'

/**
 * The timeline of a bounty, and the payouts of each week. The last index holds all that the weeks of a project need, so that
 * its payouts are not read themselves.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of [
    "activity_public_by_bounty on activity (bounty_id, seq) where visibility = 'public' and bounty_id is not null",
    "payouts_settled on payouts (settled_at) where status = 'settled'",
    "payouts_settled_of_project on payouts (project_id, settled_at) include (amount) where status = 'settled'",
  ])
    await sql.raw(`create index ${index}`).execute(db)
}
