import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { startPostgres } from '../embedded/postgres.ts'
import { createDatabase, createPool, type Database } from './connect.ts'
import { dumpSchema } from './generate-schema.ts'
import { generateTableTypes } from './generate-tables.ts'
import { migrate } from './migrate.ts'

const root = join(import.meta.dirname, '../..')

/** Every generated file of the database, and how it is made from a freshly migrated one. */
const files: { path: string; generate: (db: Database) => Promise<string> }[] = [
  { path: join(root, 'server/db/generated/tables.ts'), generate: generateTableTypes },
  { path: join(root, 'migrations/schema.sql'), generate: dumpSchema },
]

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

const checkOnly = process.argv.includes('--check')
await withMigratedDatabase(async (db) => {
  for (const { path, generate } of files) {
    const fresh = await generate(db)
    const present = await readFile(path, 'utf8').catch(() => '')
    if (fresh === present) continue
    const name = relative(root, path)
    if (checkOnly) {
      process.exitCode = 1
      process.stderr.write(`${name} is not what the migrations say: run npm run generate\n`)
    } else {
      await writeFile(path, fresh)
      process.stdout.write(`wrote ${name}\n`)
    }
  }
})
