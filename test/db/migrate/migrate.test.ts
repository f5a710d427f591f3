import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { migrations } from '../../../migrations/index.ts'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { dumpSchema } from '../../../server/db/generate/schema.ts'
import { generateTableTypes } from '../../../server/db/generate/tables.ts'
import { isMigrated, migrate } from '../../../server/db/migrate/migrate.ts'
import { databaseUrl } from '../../support/database-url.ts'
import { sharedPostgres } from '../../support/shared/shared.ts'

const server = await sharedPostgres()
const name = `test_${randomBytes(8).toString('hex')}`
const maintenance = new pg.Client({ connectionString: server })
await maintenance.connect()
await maintenance.query(`create database ${name}`)
const db = createDatabase(createPool(databaseUrl(server, name), { size: 8 }))
afterAll(async () => {
  await db.destroy()
  await maintenance.query(`drop database ${name} with (force)`)
  await maintenance.end()
})

test('several processes migrate an empty database at once, each step once', async () => {
  expect(await isMigrated(db)).toBe(false)
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(db)))
  expect(applied.flat().sort()).toEqual(Object.keys(migrations).sort())
  expect(await isMigrated(db)).toBe(true)
})

test('a migrated database is not changed', async () => {
  expect(await migrate(db)).toEqual([])
})

test('table types and schema dump follow from the migrations', async () => {
  const committed = (path: string) => readFile(join(import.meta.dirname, '../../..', path), 'utf8')
  expect(await dumpSchema(db)).toBe(await committed('migrations/schema.sql'))
  expect(await generateTableTypes(db)).toBe(await committed('server/db/generated/tables.ts'))
})
