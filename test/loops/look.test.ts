import { type RawBuilder, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { askForWork } from '../../server/loops/look.ts'
import { startRounds } from '../../server/loops/rounds.ts'
import { openTestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const { db } = await openTestDatabase()
/** Longer than any test runs. */
const forever = 2 ** 30

/** A loop that counts its rounds after the first. */
function counted(due: () => RawBuilder<unknown>, { pauseMs = 10, restMs = forever } = {}) {
  const counts = { rounds: -1 }
  const loop = startRounds(async () => void counts.rounds++, pauseMs, askForWork(db, due, restMs))
  onTestFinished(() => loop.stop())
  return Object.assign(counts, loop)
}

test('a loop works as long as the database has work for it, and no other does', async () => {
  let isDue = false
  const busy = counted(() => sql`select true`)
  const unknown = counted(() => sql`null::boolean`)
  const later = counted(() => sql`${isDue}::boolean`)
  await until(() => busy.rounds > 2)
  expect([unknown.rounds, later.rounds]).toEqual([0, 0])
  isDue = true
  await until(() => later.rounds > 2)
  expect(unknown.rounds).toBe(0)
})

test('a loop without work that is known works when it is woken, and after its rest', async () => {
  const woken = counted(() => sql`false`)
  const resting = counted(() => sql`false`, { restMs: 30 })
  await until(() => resting.rounds > 2)
  expect(woken.rounds).toBe(0)
  woken.wake()
  await until(() => woken.rounds === 1)
})

test('loops work while the look fails', async () => {
  let condition = sql`no_such_column`
  const quiet = counted(() => sql`false`)
  const broken = counted(() => condition)
  await until(() => quiet.rounds > 2 && broken.rounds > 2)
  // Nothing else fails at the end.
  condition = sql`false`
})

test('loops that ask at the same time cost one statement', async () => {
  const fresh = await openTestDatabase()
  let asked = 0
  const condition = () => {
    asked++
    return sql`true`
  }
  const first = askForWork(fresh.db, condition)
  const second = askForWork(fresh.db, () => sql`false`)
  expect(await Promise.all([first(), second(), first()])).toEqual([true, false, true])
  expect(asked).toBe(1)
})

test('loops work while the look hangs', async () => {
  let hangs = true
  const loop = counted(() => (hangs ? sql`pg_sleep(2) is null` : sql`false`))
  await until(() => loop.rounds > 1)
  hangs = false
})
