import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../../migrations/index.ts'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { migrate, migrateAt } from '../../../server/db/migrate/migrate.ts'
import { choosePort } from '../../../server/embedded/ports.ts'
import { fill } from '../../bench/seeding/fill.ts'
import { ids, sizesFor } from '../../bench/seeding/rows.ts'
import { markers } from '../../bench/seeding/text.ts'
import { built, run } from '../../ops/support/service.ts'
import { createApi } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { expectCountersToHold } from '../support/counters.ts'

/** Migrations that release 0.2.0 had applied. */
const released = 11
const bounties = 100_000
const loops = 4
const roundsEach = 50

test('100,000 bounties of release 0.2.0 are migrated, and the new version serves reads and writes at once', async () => {
  const database = await createTestDatabase({ migrated: false })
  const db = createDatabase(createPool(database.url, { size: 4 }))
  onTestFinished(async () => {
    await db.destroy()
    await database.drop()
  })
  await migrate(db, Object.fromEntries(Object.entries(migrations).slice(0, released)))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await fill(client, sizesFor(bounties), () => undefined)
  await client.end()
  const before = await rowCounts()

  const started = performance.now()
  const applied = await migrateAt(database.url, db)
  console.log(`${applied.join(', ')}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  expect(applied).toEqual(Object.keys(migrations).slice(released))
  expect(await rowCounts()).toEqual(before)

  const service = run(built('main'), {
    EMBEDDED: 'off',
    RATE_LIMITS: 'off',
    DATABASE_URL: database.url,
    PORT: String(await choosePort()),
  })
  const api = createApi(await service.ready())
  const { rows: open } = await sql<{ id: string }>`
    select id from bounties where status = 'open' order by id limit ${loops * roundsEach}`.execute(db)
  const responses: { path: string; status: number }[] = []
  const send = async (...[method, path, request]: Parameters<typeof api>) => {
    const response = await api(method, path, request)
    responses.push({ path, status: response.status })
    return response
  }
  const register = async () => {
    const { body } = await send('POST', '/api/agents/register', { body: { name: 'Ada' } })
    return { key: body.agent.api_key as string }
  }
  await Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      for (let round = 0; round < roundsEach; round++) {
        const { id } = open[loop * roundsEach + round] as { id: string }
        await send('POST', `/api/bounties/${id}/claim`, await register())
        await send('GET', `/api/bounties/${id}`)
        await send('GET', `/api/bounties?status=claimed&offset=${round}`)
        await send('GET', '/api/bounties?q=database')
        await send('GET', `/api/bounties?q=${markers[1].word}&limit=${round + 1}`)
      }
    }),
  )
  expect(responses.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
  expect(await rowCounts()).toEqual({
    ...before,
    agents: before.agents + loops * roundsEach,
    activity: before.activity + 2 * loops * roundsEach,
  })
  await expectCountersToHold(db)
  await until(async () => (await unnumbered()) === 0)
  await expectNumberedInOrder(before.activity)

  const [rare] = markers
  const { body } = await api('GET', `/api/bounties?q=${rare.word.toUpperCase()}&limit=100`)
  const expected = Array.from({ length: bounties / rare.every }, (_, nth) =>
    ids.bounty((nth + 1) * rare.every - 1),
  ).reverse()
  expect(body.bounties.map(({ id }: { id: string }) => id)).toEqual(expected)

  async function unnumbered() {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from activity where position is null`.execute(db)
    return rows[0]?.count
  }

  /** The log begins with the entries from before, in the order of the feed, and has no gap. */
  async function expectNumberedInOrder(old: number) {
    const { rows } = await sql<{ wrong: number; total: number; last: number }>`
      select count(*) filter (where position <> place and place <= ${old})::int as wrong, count(*)::float8 as total,
        max(position)::float8 as last
      from (select position, row_number() over (order by seq) as place from activity) entries`.execute(db)
    expect(rows).toEqual([{ wrong: 0, total: rows[0]?.total, last: rows[0]?.total }])
  }

  async function rowCounts() {
    const { rows } = await sql<Record<'agents' | 'bounties' | 'texts' | 'submissions' | 'activity', number>>`
      select (select count(*) from agents) as agents, (select count(*) from bounties) as bounties,
        (select count(*) from bounty_texts) as texts, (select count(*) from submissions) as submissions,
        (select count(*) from activity) as activity`.execute(db)
    return rows[0] as (typeof rows)[number]
  }
}, 600_000)
