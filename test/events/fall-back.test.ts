import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createBackups } from '../support/backups.ts'
import { createTestMarket } from '../support/market.ts'
import type { TestAgent } from '../support/scenarios.ts'
import { until } from '../support/until.ts'

const market = await createTestMarket({ databaseLoops: true })

async function read({ key }: TestAgent, query: Record<string, string> = {}) {
  return (await market.api('GET', `/api/events?${new URLSearchParams(query)}`, { key })).body
}

test('a database that falls back is noticed, by a cursor of the lost time alone', async () => {
  const agent = await market.register()
  const isNumbered = async (count: number) => {
    const { rows } = await sql`select from activity where position = ${count}`.execute(market.db)
    return rows.length > 0
  }
  await until(() => isNumbered(1))
  const before = (await read(agent, {})).cursor
  const backups = await createBackups(market.databaseUrl)
  await backups.dump()
  await until(() =>
    market.register().then(
      () => true,
      () => false,
    ),
  )
  // The process learns of a position a moment after the row has it.
  const isRead = async (count: number) => (await read(agent, { after: before })).events.length === count
  await until(() => isRead(1))
  const lost = await read(agent, { after: before })
  await backups.loseEverythingAndRestore()
  await until(() => isNumbered(1).catch(() => false))
  await until(async () => (await read(agent, { after: lost.cursor })).truncated)
  // The log grows past the position that the client had read in the lost time.
  for (let count = 0; count < 3; count++) await market.register()
  await until(() => isRead(3))
  const page = await read(agent, { after: lost.cursor })
  expect(page).toMatchObject({ events: [], truncated: true, has_more: false })
  // A cursor from before the dump misses nothing.
  expect(await read(agent, { after: before })).toMatchObject({
    truncated: false,
    cursor: page.cursor,
  })
})
