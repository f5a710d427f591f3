import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'

/** Most that are kept of a repository; its founder decides how often it changes. */
const mostKept = 100

/** The branches that were seen to be the default one of a repository. */
export async function findDefaultBranches(db: Database, repositoryId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('default_branches')
    .where('repository_id', '=', repositoryId)
    .select('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Keeps that a branch is the default one of a project's repository: who changes that later cannot unmake a merge into it. */
export async function keepDefaultBranch(db: Database, repositoryId: number, name: string): Promise<void> {
  await sql`
    insert into default_branches (repository_id, name) select ${repositoryId}, ${name}
    where (select count(*) from default_branches where repository_id = ${repositoryId}) < ${sql.lit(mostKept)}
    on conflict do nothing`.execute(db)
}
