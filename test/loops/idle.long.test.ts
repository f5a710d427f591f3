import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { defaultTiming } from '../../server/loops/timing.ts'
import { createTestMarket } from '../support/market.ts'

test('a process that has nothing to do asks the database at most five times a second', async () => {
  const { db, databaseUrl } = await createTestMarket({ databaseLoops: true, timing: defaultTiming })
  const name = new URL(databaseUrl).pathname.slice(1)
  const transactions = async () => {
    await sql`select pg_stat_force_next_flush(), pg_stat_clear_snapshot()`.execute(db)
    const { rows } = await sql<{ count: number }>`
      select xact_commit::int8 as count from pg_stat_database where datname = ${name}`.execute(db)
    return rows[0]?.count ?? Number.NaN
  }
  // What comes with a start is over then.
  await pause(15_000)
  const before = await transactions()
  const seconds = 45
  await pause(seconds * 1000)
  expect((await transactions()) - before).toBeLessThanOrEqual(5 * seconds)
}, 120_000)
