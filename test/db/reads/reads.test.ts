import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type PreparedStatement, prepared } from '../../../server/db/prepared.ts'
import { openPipeline, PipelineLost } from '../../../server/db/reads/pipeline.ts'
import { pipelinedReads } from '../../../server/db/reads/reads.ts'
import { openTestDatabase } from '../../support/database.ts'
import { afterFile } from '../../support/leaks/closing.ts'
import { createRows } from '../../support/rows.ts'
import { until } from '../../support/until.ts'

const database = await openTestDatabase()
const { db } = database
const pipeline = openPipeline(database.url, { statementMs: 1000 })
afterFile(pipeline.close)
const rows = createRows(db)
const connected = () => until(() => pipeline.ready)
const agentName = prepared((db, { id, name }: { id: string; name?: string }) => {
  const query = db
    .selectFrom('agents')
    .where('id', '=', id)
    .select(['name', sql.lit(7).as('seven')])
  return name === undefined ? query : query.where('name', '=', name)
})

test('a prepared query has one text for each set of fields, for all values', async () => {
  const one = agentName({ id: 'a' })
  const other = agentName({ id: 'b' })
  const narrow = agentName({ id: 'a', name: 'n' })
  expect(one).toMatchObject({ name: other.name, text: other.text, values: ['a'] })
  expect(other.values).toEqual(['b'])
  expect(narrow.values).toEqual(['a', 'n'])
  expect(new Set([one.name, narrow.name]).size).toBe(2)
  expect(agentName({ id: 'c', name: undefined }).name).toBe(one.name)
})

test('statements sent together get their own rows, and an error reaches only its sender', async () => {
  await connected()
  const answers = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) =>
      pipeline.run<{ n: number }>({
        name: 'division',
        text: 'select 1000 / $1::int as n',
        values: [index % 5],
      }),
    ),
  )
  for (const [index, answer] of answers.entries())
    if (index % 5 === 0) expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
    else expect(answer).toMatchObject({ value: [{ n: Math.floor(1000 / (index % 5)) }] })
})

test('the server ends a statement that takes too long, and the others go on', async () => {
  await connected()
  const slow = pipeline.run({ text: 'select pg_sleep(60)' })
  const next = pipeline.run<{ n: number }>({ text: 'select 1 as n' })
  await expect(slow).rejects.toMatchObject({ code: '57014' })
  expect(await next).toEqual([{ n: 1 }])
})

test('a statement whose plan a migration made invalid still returns its rows, and its connection is replaced', async () => {
  const reads = pipelinedReads(database.url, db)
  await sql`create table of_an_older_version (n int); insert into of_an_older_version values (1)`.execute(db)
  const statement = { name: 'older', text: 'select n from of_an_older_version', values: [] }
  const ask = () =>
    Promise.all([1, 2, 3, 4].map(() => reads.run(statement as PreparedStatement<{ n: unknown }>)))
  await until(async () => (await ask()).every(([row]) => row?.n === 1))
  await sql`alter table of_an_older_version alter n type text`.execute(db)
  for (let count = 0; count < 5; count++) for (const [row] of await ask()) expect(row?.n).toBe('1')
  await sql`drop table of_an_older_version`.execute(db)
  await reads.close()
})

test('a broken connection fails the statements sent on it and is replaced', async () => {
  const pipeline = openPipeline(database.url, { statementMs: 100_000 })
  onTestFinished(() => pipeline.close())
  await until(() => pipeline.ready)
  const before = pipeline.connection
  const [row] = await pipeline.run<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
  const failed = expect(pipeline.run({ text: 'select pg_sleep(100)' })).rejects.toThrow(PipelineLost)
  await sql`select pg_terminate_backend(${row?.pid})`.execute(db)
  await failed
  await until(() => pipeline.ready && pipeline.connection > before)
  expect(await pipeline.run({ text: 'select 1 as n' })).toEqual([{ n: 1 }])
})

test('reads succeed while every connection is cut again and again', async () => {
  const reads = pipelinedReads(database.url, db)
  const ids = await Promise.all(['A', 'B', 'C'].map((name) => rows.agent({ name })))
  let cuts = 0
  let reading = true
  const cutting = (async () => {
    while (cuts < 20) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%seven%'`.execute(db)
      cuts++
    }
    reading = false
  })()
  let answered = 0
  while (reading || answered < 100) {
    const found = await Promise.all(ids.map((id) => reads.run(agentName({ id })).catch(() => undefined)))
    for (const [index, answer] of found.entries())
      if (answer) expect(answer).toEqual([{ name: 'ABC'[index], seven: 7 }])
    answered++
  }
  await cutting
  await until(async () => (await reads.run(agentName({ id: ids[0] as string }))).length === 1)
  await reads.close()
})

test('a snapshot changes with every write, and only then', async () => {
  const reads = pipelinedReads(database.url, db)
  const state = async () => await reads.snapshots?.now()
  await until(async () => (await state()) !== undefined)
  const [before, ...shared] = await Promise.all([state(), state(), state()])
  expect(shared).toEqual([before, before])
  // Others write to the same cluster meanwhile.
  await until(async () => {
    const earlier = await state()
    const later = await state()
    return earlier === later
  })
  await rows.agent()
  expect(await state()).not.toBe(before)
  await reads.close()
  expect(await state()).toBeUndefined()
})
