import pg from 'pg'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { migrate } from '../../../server/db/migrate/migrate.ts'
import { startPostgres } from '../../../server/embedded/postgres/postgres.ts'
import { databaseUrl, templateDatabase } from '../database-url.ts'
import type { Part } from './serve.ts'

/** A Postgres server with the migrated database that every test database is copied from; `url` is its maintenance database. */
export async function startSharedPostgres(
  directory: string,
  log: Parameters<typeof startPostgres>[0]['log'],
): Promise<Part> {
  const { url, stop } = await startPostgres({
    directory,
    log,
    // No data has to survive a power failure.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  await createTemplate(url)
  return { value: databaseUrl(url, 'postgres'), stop }
}

async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  const db = createDatabase(createPool(databaseUrl(url, templateDatabase), { size: 2 }))
  await migrate(db)
  await db.destroy()
}
