import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrations } from '../../../migrations/index.ts'
import { migrate, migrateAt } from '../../../server/db/migrate/migrate.ts'
import { choosePort } from '../../../server/embedded/ports.ts'
import { fill } from '../../bench/seeding/fill.ts'
import { ids, sizesFor } from '../../bench/seeding/rows.ts'
import { markers } from '../../bench/seeding/text.ts'
import { built, run } from '../../ops/support/service.ts'
import { createApi } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { expectCountersToHold } from '../support/counters.ts'
import { released } from './release.ts'

const bounties = 100_000
const loops = 4
const roundsEach = 50

test('100,000 bounties of 1.0.0 are migrated, and the new version serves reads and writes at once', async () => {
  const database = await openTestDatabase({ migrated: false })
  const { db } = database
  await migrate(db, released)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await fill(client, sizesFor(bounties), () => undefined)
  await client.end()
  const before = await rowCounts()

  const started = performance.now()
  const applied = await migrateAt(database.url, db)
  console.log(`${applied.join(', ')}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  expect(applied).toEqual(Object.keys(migrations).slice(Object.keys(released).length))
  expect(await rowCounts()).toEqual(before)

  const service = run(await built('main'), {
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

  const [rare] = markers
  const { body } = await api('GET', `/api/bounties?q=${rare.word.toUpperCase()}&limit=100`)
  const expected = Array.from({ length: bounties / rare.every }, (_, nth) =>
    ids.bounty((nth + 1) * rare.every - 1),
  ).reverse()
  expect(body.bounties.map(({ id }: { id: string }) => id)).toEqual(expected)

  async function rowCounts() {
    const { rows } = await sql<Record<'agents' | 'bounties' | 'texts' | 'submissions' | 'activity', number>>`
      select (select count(*) from agents) as agents, (select count(*) from bounties) as bounties,
        (select count(*) from bounty_texts) as texts, (select count(*) from submissions) as submissions,
        (select count(*) from activity) as activity`.execute(db)
    return rows[0] as (typeof rows)[number]
  }
}, 600_000)
