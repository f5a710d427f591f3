import { sql } from 'kysely'
import type { Logger } from 'pino'
import { expect, test } from 'vitest'
import type { Repositories } from '../../../server/code/host/repositories.ts'
import { startOwnRepositories } from '../../../server/code/own-repositories/loop.ts'
import { openTestDatabase } from '../../support/database.ts'
import { until } from '../../support/until.ts'

test('what the database refuses ends no loop', async () => {
  const { db } = await openTestDatabase()
  const lines: string[] = []
  const log = {
    info: (line: string) => void lines.push(line),
    warn: (_fields: object, line: string) => void lines.push(line),
  } as unknown as Logger
  const repositories = { takesOwn: true } as Repositories
  await sql`alter table projects rename to elsewhere`.execute(db)
  const timing = { restMs: 0, pullRequestsMs: 5 }
  const loop = startOwnRepositories({ db, repositories, timing, log })
  await until(() => lines.length > 0)
  await sql`alter table elsewhere rename to projects`.execute(db)
  await until(() => lines.includes('repositories of founders are looked at again'))
  await loop.stop()
  expect(lines[0]).toMatch(/^repositories of founders could not be looked at/)
})
