import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { databaseUrl, templateDatabase } from './database-url.ts'
import { noteRows } from './evidence/dump.ts'
import { noteSecret } from './evidence/write.ts'
import { afterFile } from './leaks/closing.ts'
import { sharedPostgres } from './shared/shared.ts'

/** A database of the test's own. It ends with the test file, if not before. */
export interface TestDatabase {
  url: string
  /** Disconnects all clients and drops the database. */
  drop(): Promise<void>
}

/** Creates a database with the whole schema and no rows, or without a schema; a copy of the migrated template is quick. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const server = await sharedPostgres()
  const name = `test_${randomBytes(8).toString('hex')}`
  await maintain(
    server,
    `create database ${name} template ${migrated ? templateDatabase : 'template0'} strategy file_copy`,
  )
  const url = databaseUrl(server, name)
  // The template's heart stands still since the start of the tests, which is no outage of this service.
  if (migrated) await withClient(url, (client) => client.query('update heartbeat set beaten_at = now()'))
  noteSecret('database password', decodeURIComponent(new URL(url).password))
  return {
    url,
    drop: afterFile(async () => {
      await withClient(url, noteRows)
      await maintain(server, `drop database ${name} with (force)`)
    }),
  }
}

function maintain(url: string, statement: string): Promise<unknown> {
  return withClient(url, (client) => client.query(statement))
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** A database of the test's own with a pool of connections. Both end with the test file, if `close` does not end them before. */
export async function openTestDatabase({ size = 4, migrated = true } = {}) {
  const database = await createTestDatabase({ migrated })
  const db = createDatabase(createPool(database.url, { size }))
  return {
    db,
    url: database.url,
    close: afterFile(async () => {
      await db.destroy()
      await database.drop()
    }),
  }
}
