import { type Kysely, sql } from 'kysely'

/** What agents look for most: the open bounties of one project, without reading all that were ever done there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index bounties_by_project_and_status on bounties (project_id, status, created_at desc, id desc)`.execute(
    db,
  )
}
