import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createPool, pinnedSettings } from '../../server/db/client.ts'
import { openPipeline } from '../../server/db/reads/pipeline.ts'
import { openTestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

/* Databases that somebody else has set up. */

/** What an administrator may set for a database, and what our statements rely on instead. */
const foreign: Record<string, [set: string, expected: string]> = {
  DateStyle: ['SQL, DMY', 'ISO, DMY'],
  IntervalStyle: ['iso_8601', 'postgres'],
  TimeZone: ['Asia/Tokyo', 'UTC'],
  bytea_output: ['escape', 'hex'],
  extra_float_digits: ['-10', '1'],
  standard_conforming_strings: ['off', 'on'],
  default_transaction_isolation: ['serializable', 'read committed'],
  default_transaction_deferrable: ['on', 'off'],
  synchronous_commit: ['off', 'on'],
}
const names = Object.keys(foreign)

async function foreignDatabase(): Promise<string> {
  const { db, url } = await openTestDatabase({ size: 1 })
  const name = new URL(url).pathname.slice(1)
  for (const [setting, [value]] of Object.entries(foreign))
    await sql.raw(`alter database ${name} set ${setting} = '${value}'`).execute(db)
  return url
}

const settings = {
  text: `select name, current_setting(name) as value from unnest(array['${names.join("', '")}']) as name`,
}
const expected = names.map((name) => ({ name, value: foreign[name]?.[1] }))

test('every connection sets what decides the form and the safety of values, whatever the database has', async () => {
  const url = await foreignDatabase()
  expect(names).toEqual(expect.arrayContaining(Object.keys(pinnedSettings)))
  const pool = createPool(url, { size: 1 })
  onTestFinished(() => pool.end())
  expect((await pool.query(settings)).rows).toEqual(expected)
  const pipeline = openPipeline(url, { statementMs: 5000 })
  onTestFinished(() => pipeline.close())
  await until(() => pipeline.ready)
  expect(await pipeline.run(settings)).toEqual(expected)
  const time = { text: `select '2026-02-01T03:04:05Z'::timestamptz as at` }
  const at = new Date('2026-02-01T03:04:05Z')
  expect([(await pool.query(time)).rows, await pipeline.run(time)]).toEqual([[{ at }], [{ at }]])
})

test('a setting of synchronous_commit that is safe stays', async () => {
  const { db, url } = await openTestDatabase({ size: 1 })
  await sql
    .raw(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = 'remote_apply'`)
    .execute(db)
  const pool = createPool(url, { size: 1 })
  onTestFinished(() => pool.end())
  expect((await pool.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'remote_apply' }])
})

test('a time in another form is an error and never null', async () => {
  const { db } = await openTestDatabase({ size: 1 })
  await sql`set DateStyle = 'German'`.execute(db)
  await expect(sql`select now() as at`.execute(db)).rejects.toThrow('not in the form of ISO 8601')
  expect((await sql<{ at: unknown }>`select null::timestamptz as at`.execute(db)).rows).toEqual([
    { at: null },
  ])
})
