import { expect, test } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'
import { serve } from '../serve.ts'

const database = await createTestDatabase()

/** How often a page is made in three requests between which nothing is committed, once it is known. */
async function timesMade(settings: Record<string, string>): Promise<number> {
  const { api, services, close } = await serve({ database, settings })
  try {
    const ask = async () => expect((await api('GET', '/api/projects')).status).toBe(200)
    const stateNow = async () => services.reads.snapshots?.now()
    await until(async () => (await stateNow()) !== undefined)
    let made = 0
    const { run } = services.reads
    services.reads.run = (statement) => {
      made++
      return run(statement)
    }
    // Other test files commit to other databases of the same server, which changes the state of all.
    for (;;) {
      const before = await stateNow()
      for (let i = 0; i < 3; i++) await ask()
      made = 0
      for (let i = 0; i < 3; i++) await ask()
      if ((await stateNow()) === before) return made
    }
  } finally {
    await close()
  }
}

test('REMEMBER_RESPONSES=false makes every response anew from the database', async () => {
  expect(await timesMade({})).toBe(0)
  expect(await timesMade({ REMEMBER_RESPONSES: 'false' })).toBe(3)
})
