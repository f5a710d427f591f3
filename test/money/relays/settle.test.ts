import { expect, test } from 'vitest'
import { failRelay, reopenRelay } from '../../../server/money/relays/settle.ts'
import { openTestDatabase } from '../../support/database.ts'
import { createRows } from '../../support/rows.ts'

const { db } = await openTestDatabase({ size: 1 })
const rows = createRows(db)

test('a withdrawal whose failure two processes find fails once, for the reason that was stored first', async () => {
  const id = await rows.relay()
  await failRelay(db, id, 'insufficient_balance')
  await failRelay(db, id, 'authorization_expired')
  const relay = db.selectFrom('relays').where('id', '=', id).select(['status', 'error_code'])
  expect(await relay.execute()).toEqual([{ status: 'failed', error_code: 'insufficient_balance' }])
  expect(await db.selectFrom('activity').select('type').execute()).toEqual([{ type: 'withdrawal.failed' }])
})

test('a withdrawal that was reported failed runs again if a transaction shows that the chain has made it', async () => {
  const id = await rows.relay()
  await failRelay(db, id, 'authorization_expired')
  const status = async () =>
    (await db.selectFrom('relays').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status
  await reopenRelay(db, id, [])
  expect(await status()).toBe('failed')
  await reopenRelay(db, id, [], true)
  expect(await status()).toBe('running')
})
