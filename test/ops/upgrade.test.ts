import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { createDatabase, createPool, type Database } from '../../server/db/client.ts'
import { isMigrated, migrate } from '../../server/db/migrate/migrate.ts'
import { connectDatabase } from '../../server/startup/connect/database.ts'
import { expectCountersToHold } from '../db/support/counters.ts'
import { databaseUrl } from '../support/global-setup.ts'

const names = Object.keys(migrations)
const oldest = Object.fromEntries(Object.entries(migrations).slice(0, 2))

/** A database with nothing in it. */
async function emptyDatabase(): Promise<{ db: Database; url: string }> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  const maintain = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await maintain(`create database ${name}`)
  const url = databaseUrl(server, name)
  const db = createDatabase(createPool(url, { size: 8 }))
  onTestFinished(async () => {
    await db.destroy()
    await maintain(`drop database ${name} with (force)`)
  })
  return { db, url }
}

test('a schema of the oldest release keeps its data on the way to the newest', async () => {
  const { db } = await emptyDatabase()
  await migrate(db, oldest)
  expect(await isMigrated(db)).toBe(false)
  await sql`insert into agents (id, name, key_id, key_hash) values ('agent_1', 'Ada', 'k1', '$argon2id$1')`.execute(
    db,
  )
  await sql`insert into projects (id, name, description, founder_id, token_symbol, token_supply)
    values ('proj_1', 'P', 'D', 'agent_1', 'SYM', 1000)`.execute(db)
  await sql`insert into bounties (id, project_id, title, description, reward_amount, difficulty)
    values ('bnt_1', 'proj_1', 'T', 'D', 100, 'easy')`.execute(db)
  await sql`insert into lanes (chain_id, address, next_nonce) values (1, ${`0x${'a'.repeat(40)}`}, 7)`.execute(
    db,
  )

  expect(await migrate(db)).toEqual(names.slice(2))
  const { rows } = await sql<{ name: string; committed: number; next_nonce: number }>`
    select a.name, p.committed, l.next_nonce from agents a, projects p, lanes l`.execute(db)
  expect(rows).toEqual([{ name: 'Ada', committed: 100, next_nonce: 7 }])
  const texts = await sql`select id, title_folded, description_folded from bounty_texts`.execute(db)
  expect(texts.rows).toEqual([{ id: 'bnt_1', title_folded: 't', description_folded: 'd' }])
})

test('counters go on where a schema of the oldest release had them, now once a statement', async () => {
  const { db } = await emptyDatabase()
  await migrate(db, oldest)
  const insertBounties = (first: number, last: number) =>
    sql`
      insert into bounties (id, project_id, title, description, reward_amount, difficulty)
      select 'bnt_' || n, 'proj_' || n % 2, 'T', 'D', n, 'easy' from generate_series(${first}::int, ${last}::int) n`.execute(
      db,
    )
  await sql`insert into agents (id, name, key_id, key_hash) values ('agent_1', 'Ada', 'k1', '$argon2id$1')`.execute(
    db,
  )
  await sql`insert into projects (id, name, description, founder_id, token_symbol, token_supply)
    select 'proj_' || n, 'P', 'D', 'agent_1', 'SYM', 1000 from generate_series(0, 1) n`.execute(db)
  await insertBounties(1, 10)
  await migrate(db)
  await insertBounties(11, 20)
  await sql`delete from bounties where reward_amount < 4`.execute(db)
  await expectCountersToHold(db)
})

test('claims and submissions that wait at the upgrade get the whole of their time from then on', async () => {
  const { db } = await emptyDatabase()
  await migrate(db, Object.fromEntries(Object.entries(migrations).slice(0, 17)))
  await sql
    .raw(`
    insert into agents (id, name, key_id, key_hash) select 'agent_' || n, 'Ada', 'k' || n, '$argon2id$1' from generate_series(1, 5) n;
    insert into projects (id, name, description, founder_id, token_symbol, token_supply)
      values ('proj_1', 'P', 'D', 'agent_5', 'SYM', 1000);
    insert into bounties (id, project_id, title, description, reward_amount, difficulty)
      select 'bnt_' || n, 'proj_1', 'T', 'D', 1, (array['easy', 'medium', 'hard', 'extreme', 'easy'])[n] from generate_series(1, 5) n;
    update bounties set status = 'claimed', claimed_by = 'agent_' || right(id, 1), claimed_at = now() - interval '1 year'
      where id <> 'bnt_5';
    insert into submissions (id, bounty_id, agent_id, pr_url, status, created_at, reviewed_at) values
      ('sub_1', 'bnt_1', 'agent_1', 'u', 'pending', now() - interval '1 year', null),
      ('sub_2', 'bnt_1', 'agent_1', 'u', 'rejected', now() - interval '1 year', now() - interval '1 year')`)
    .execute(db)
  await migrate(db)
  const hours = (column: string) => sql`round(extract(epoch from ${sql.ref(column)} - now()) / 3600)::int`
  const claims =
    await sql`select ${hours('claim_expires_at')} as hours, extensions_left from bounties order by id`.execute(
      db,
    )
  const left = (lasting: number) => ({ hours: lasting, extensions_left: 2 })
  expect(claims.rows).toEqual([
    left(24),
    left(72),
    left(168),
    left(336),
    { hours: null, extensions_left: null },
  ])
  const waiting =
    await sql`select ${hours('review_due_at')} as hours, project_id from submissions where id = 'sub_1'`.execute(
      db,
    )
  expect(waiting.rows).toEqual([{ hours: 168, project_id: 'proj_1' }])
})

test('no version starts on a schema that has one migration more than it knows', async () => {
  const { db, url } = await emptyDatabase()
  await migrate(db)
  await sql`insert into kysely_migration (name, timestamp) values ('9999_newer', now()::text)`.execute(db)
  const refusal =
    'the schema has 9999_newer, which this version does not know: start the version that migrated it, or a newer one'
  await expect(migrate(db)).rejects.toThrow(refusal)
  await expect(connectDatabase(url, { DATABASE_POOL_SIZE: 2 }, () => undefined)).rejects.toThrow(
    `setting DATABASE_URL: ${refusal}`,
  )
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

test('a schema of another branch is refused', async () => {
  const { db } = await emptyDatabase()
  await migrate(db, { ...oldest, '0003_of_another_branch': { up: async () => undefined } })
  await expect(migrate(db)).rejects.toThrow('the schema has 0003_of_another_branch, which')
})
