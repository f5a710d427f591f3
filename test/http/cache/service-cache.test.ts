import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { serve } from '../serve.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

/** How often a page is made in three requests that change nothing, once the state of the database is known. */
async function timesMade(settings: Record<string, string>): Promise<number> {
  const { api, services, close } = await serve({ database, settings })
  try {
    const ask = async () => expect((await api('GET', '/api/projects')).status).toBe(200)
    await until(async () => (await services.reads.snapshots?.now()) !== undefined)
    for (let i = 0; i < 3; i++) await ask()
    let made = 0
    const { run } = services.reads
    services.reads.run = (statement) => {
      made++
      return run(statement)
    }
    for (let i = 0; i < 3; i++) await ask()
    return made
  } finally {
    await close()
  }
}

test('REMEMBER_RESPONSES=false makes every response anew from the database', async () => {
  expect(await timesMade({})).toBe(0)
  expect(await timesMade({ REMEMBER_RESPONSES: 'false' })).toBe(3)
})
