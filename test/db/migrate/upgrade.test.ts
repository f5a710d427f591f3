import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../../migrations/index.ts'
import { isMigrated, migrate } from '../../../server/db/migrate/migrate.ts'
import { choosePort } from '../../../server/embedded/ports.ts'
import { connectDatabase } from '../../../server/startup/connect/database.ts'
import { built, run } from '../../ops/support/service.ts'
import { openTestDatabase } from '../../support/database.ts'
import { expectCountersToHold } from '../support/counters.ts'
import { leaveAsRelease, released, rowReader } from './release.ts'

const emptyDatabase = () => openTestDatabase({ migrated: false, size: 8 })

/** What a later version may bring: a column with an index, and a table that is filled from others. */
const later = {
  '9998_priorities': {
    up: async (db: Kysely<unknown>) => {
      await sql`alter table bounties add column priority smallint not null default 1`.execute(db)
      await sql`create index bounties_urgent on bounties (priority) where status = 'open'`.execute(db)
    },
  },
  '9999_watchers': {
    up: async (db: Kysely<unknown>) => {
      await sql`create table watchers as select claimed_by, id from bounties where claimed_by is not null`.execute(
        db,
      )
    },
  },
}

test('a database as 1.0.0 leaves it keeps every row of every table on the way to a later version', async () => {
  const { db } = await emptyDatabase()
  await leaveAsRelease(db)
  const read = await rowReader(db)
  const before = await read()
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])

  const added = Object.keys({ ...migrations, ...later }).slice(Object.keys(released).length)
  expect(await migrate(db, { ...migrations, ...later })).toEqual(added)
  expect(await read()).toEqual(before)
  const { rows } = await sql`select id, priority from bounties natural join watchers order by id`.execute(db)
  expect(rows).toEqual([
    { id: 'bnt_1', priority: 1 },
    { id: 'bnt_2', priority: 1 },
  ])
})

test('processes of 1.0.0 go on storing while a later version has migrated, and counters hold', async () => {
  const { db } = await emptyDatabase()
  await leaveAsRelease(db)
  await migrate(db, { ...migrations, ...later })
  await sql`insert into bounties (id, project_id, title, description, reward_amount, difficulty)
    select 'bnt_later_' || n, 'proj_1', 'T', 'D', n, 'easy' from generate_series(1, 10) n`.execute(db)
  await sql`delete from bounties where reward_amount < 3`.execute(db)
  await expectCountersToHold(db)
})

test('a migration that fails leaves the schema and its rows as they were', async () => {
  const { db } = await emptyDatabase()
  await leaveAsRelease(db)
  const before = await (await rowReader(db))()
  const failing = { up: (trx: Kysely<unknown>) => sql`select 1 / 0`.execute(trx) as Promise<never> }
  const known = { ...migrations, ...later, '9999_zz_failing': failing }
  await expect(migrate(db, known)).rejects.toThrow('division by zero')
  expect(await (await rowReader(db))()).toEqual(before)
})

test('no process starts on a schema that has one migration more than it knows', async () => {
  const { db, url } = await emptyDatabase()
  await migrate(db, { ...migrations, ...later })
  expect(await isMigrated(db)).toBe(true)
  const refusal =
    'the schema has 9998_priorities, 9999_watchers, which this version does not know: ' +
    'start the version that migrated it, or a newer one'
  await expect(migrate(db)).rejects.toThrow(refusal)
  const environment = { EMBEDDED: 'off', DATABASE_URL: url, PORT: String(await choosePort()) }
  const service = run(await built('main'), environment)
  expect(await service.exited).toBe(1)
  expect(service.errors()).toContain(`setting DATABASE_URL: ${refusal}`)
})

test('a migration may take an hour a statement, everything else thirty seconds', async () => {
  const { db, url } = await emptyDatabase()
  await sql
    .raw(`
    create table limits (statement_timeout text);
    create function note_limit() returns event_trigger language plpgsql as $$
      begin insert into limits values (current_setting('statement_timeout')); end $$;
    create event trigger noted on ddl_command_end when tag in ('CREATE INDEX') execute function note_limit()`)
    .execute(db)
  const connection = await connectDatabase(url, { DATABASE_POOL_SIZE: 2 }, () => undefined)
  onTestFinished(() => connection.reads.close().then(() => connection.db.destroy()))

  const whileMigrating = await sql`select distinct statement_timeout from limits`.execute(db)
  expect(whileMigrating.rows).toEqual([{ statement_timeout: '1h' }])
  const afterwards = await sql`show statement_timeout`.execute(connection.db)
  expect(afterwards.rows).toEqual([{ statement_timeout: '30s' }])
})
