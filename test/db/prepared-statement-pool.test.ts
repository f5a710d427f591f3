import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabase, createPool } from '../../server/db/client.ts'
import { prepared, runOn, toPrepare } from '../../server/db/prepared.ts'
import { openTestDatabase } from '../support/database.ts'

// One connection, so that every statement meets what the others left.
const { db, url } = await openTestDatabase({ size: 1 })
const agentName = prepared((compiler, { id }: { id: string }) =>
  compiler.selectFrom('agents').where('id', '=', id).select('name'),
)

/** What the connection keeps prepared, with how often it was run. */
async function kept(): Promise<{ statement: string; runs: number }[]> {
  const { rows } = await sql<{ statement: string; runs: number }>`
    select statement, generic_plans + custom_plans as runs from pg_prepared_statements order by prepare_time`.execute(
    db,
  )
  return rows
}

test('a prepared statement is parsed once, inside and outside of transactions; others are not prepared', async () => {
  for (const id of ['a', 'b']) await runOn(db, agentName({ id }))
  await db.transaction().execute((trx) => runOn(trx, agentName({ id: 'c' })))
  await db.selectFrom('agents').select('id').where('id', '=', 'a').execute()
  expect(await kept()).toEqual([{ statement: 'select "name" from "agents" where "id" = $1', runs: 3 }])
})

test('a statement whose result a migration changed fails once and is not prepared again', async () => {
  await sql`create table changing (value text)`.execute(db)
  await sql`insert into changing values ('7')`.execute(db)
  const read = () => runOn(db, toPrepare<{ value: unknown }>('select value from changing', []))
  expect(await read()).toEqual([{ value: '7' }])
  await sql`alter table changing alter column value type integer using value::integer`.execute(db)
  await expect(read()).rejects.toMatchObject({ code: '0A000' })
  expect(await read()).toEqual([{ value: 7 }])
})

test('a statement that Postgres has dropped fails once and is not prepared again', async () => {
  const other = createDatabase(createPool(url, { size: 1 }))
  const read = () => runOn(other, agentName({ id: 'a' }))
  expect(await read()).toEqual([])
  await sql`deallocate all`.execute(other)
  await expect(read()).rejects.toMatchObject({ code: '26000' })
  expect(await read()).toEqual([])
  await other.destroy()
})

test('a connection to a server that has become read-only is not used again', async () => {
  const other = createDatabase(createPool(url, { size: 1 }))
  const pid = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other)).rows[0]?.pid
  const first = await pid()
  await sql`set default_transaction_read_only = on`.execute(other)
  expect(await pid()).toBe(first)
  await expect(sql`create table refused ()`.execute(other)).rejects.toMatchObject({ code: '25006' })
  expect(await pid()).not.toBe(first)
  await sql`create table accepted ()`.execute(other)
  await other.destroy()
})
