import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createApiKeys, loadChecksumKey } from '../../../server/auth/api-keys.ts'
import { readConfig } from '../../../server/config/config.ts'
import { awaitChain, connectedTo } from '../../../server/money/chain/connection.ts'
import { compose } from '../../../server/startup/compose.ts'
import { openTestDatabase } from '../../support/database.ts'
import { beatHeart, lapse } from '../../support/deadlines.ts'
import { createRows } from '../../support/rows.ts'
import { until } from '../../support/until.ts'

const { db, url } = await openTestDatabase()
const rows = createRows(db)
const lines: { msg: string }[] = []
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })

async function lapsedBounty() {
  const id = await rows.bountyAt('claimed')
  await lapse(db, { id })
  return id
}
const isOpen = (id: string) => async () => {
  const row = db.selectFrom('bounties').where('id', '=', id).select('status')
  return (await row.executeTakeFirstOrThrow()).status === 'open'
}

/** A process of the service, with its loops. */
async function processOn(chain = connectedTo(null)) {
  return compose({
    config: readConfig({ EMBEDDED: 'off', DATABASE_URL: url }),
    log,
    db,
    apiKeys: createApiKeys({ checksumKey: await loadChecksumKey(db) }),
    chain,
    repositories: null,
    wallets: null,
    timing: { deadlinesMs: 20 },
  })
}

test.each([
  ['configured', () => connectedTo(null)],
  ['reached', () => awaitChain({ isConfigured: true })],
])('bounties whose claims lapse are opened where no chain is %s, and logged', async (_, chain) => {
  lines.length = 0
  const composition = await processOn(chain())
  composition.startDatabaseLoops()
  const ids = [await lapsedBounty()]
  await until(isOpen(ids[0] as string))
  ids.push(await lapsedBounty())
  await until(isOpen(ids[1] as string))
  await composition.stop()
  expect(lines).toMatchObject(
    ids.map((entityId) => ({ level: 30, entityId, msg: expect.stringContaining('lapsed') })),
  )
})

test('a process that starts after an outage of an hour sees the gap before it ends anything', async () => {
  lines.length = 0
  const id = await lapsedBounty()
  await db
    .updateTable('heartbeat')
    .set({ beaten_at: new Date(Date.now() - 3_600_000) })
    .execute()
  const composition = await processOn()
  composition.startDatabaseLoops()
  await until(() => lines.length > 0)
  await composition.stop()
  expect(lines).toMatchObject([
    { level: 40, seconds: expect.any(Number), msg: expect.stringContaining('no deadline') },
  ])
  expect(await isOpen(id)()).toBe(false)
})

test('the loop goes on after the database was away', async () => {
  lines.length = 0
  await beatHeart(db)
  const composition = await processOn()
  const id = await lapsedBounty()
  await db.schema.alterTable('heartbeat').renameTo('heartbeat_away').execute()
  composition.startDatabaseLoops()
  await until(() => lines.length >= 2)
  await db.schema.alterTable('heartbeat_away').renameTo('heartbeat').execute()
  await until(isOpen(id))
  await composition.stop()
  expect(lines.slice(0, 2)).toMatchObject([
    { level: 40, msg: expect.stringContaining('trying again') },
    { level: 40, msg: expect.stringContaining('trying again') },
  ])
})

test('stop ends the loop, and start begins it again', async () => {
  const composition = await processOn()
  composition.startDatabaseLoops()
  await composition.stop()
  const id = await lapsedBounty()
  expect(await isOpen(id)()).toBe(false)
  composition.startDatabaseLoops()
  await until(isOpen(id))
  await composition.stop()
})
