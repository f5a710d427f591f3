import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'

const market = await createTestMarket({ engines: false })

test('200 with those of the caller that have not expired, newest first, and no secret', async () => {
  const path = '/api/agents/me/tokens'
  const { key } = await market.register()
  const make = async (label: string, by = key) =>
    (await market.api('POST', path, { key: by, body: { scope: 'read', label } })).body.token
  const expired = await make('expired')
  const first = await make('first')
  const second = await make('second')
  await make('other', (await market.register()).key)
  await setRows(market.db, 'access_tokens', { id: expired.id }, { expires_at: sql<Date>`clock_timestamp()` })
  const { status, body } = await market.api('GET', path, { key })
  expect([status, body]).toEqual([200, { tokens: [second, first] }])
})
