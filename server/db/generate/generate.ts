import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatedFile } from '../../../openapi/generated-file.ts'
import { startPostgres } from '../../embedded/postgres/postgres.ts'
import { createDatabase, createPool, type Database } from '../client.ts'
import { migrate } from '../migrate/migrate.ts'
import { dumpSchema } from './schema.ts'
import { generateTableTypes } from './tables.ts'

/** Runs all migrations on an empty throw-away server and hands the database to `use`. */
async function withMigratedDatabase(use: (db: Database) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bounty-marketplace-generate-'))
  try {
    const log = { info: () => undefined, warn: () => undefined }
    const postgres = await startPostgres({ directory, log, settings: { fsync: 'off' } })
    try {
      const db = createDatabase(createPool(postgres.url, { size: 2 }))
      try {
        await migrate(db)
        await use(db)
      } finally {
        await db.destroy()
      }
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

await withMigratedDatabase(async (db) => {
  generatedFile(new URL('../generated/tables.ts', import.meta.url), await generateTableTypes(db))
  generatedFile(new URL('../../../migrations/schema.sql', import.meta.url), await dumpSchema(db))
})
