import { afterAll, expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { startReceiver, webhooksOn } from '../../support/webhooks.ts'

const market = await createTestMarket({ engines: false })
const receiver = await startReceiver()
afterAll(async () => {
  await market.close()
  await receiver.close()
})
const hooks = webhooksOn(market)

test("200 with the caller's webhooks, newest first, and nobody else's", async () => {
  const [agent, other] = [await market.register(), await market.register()]
  const created = []
  for (let count = 0; count < 3; count++) created.push((await hooks.create(agent, receiver.url)).webhook)
  await hooks.create(other, receiver.url)
  const { status, body } = await hooks.call('GET', '', agent)
  expect([status, body]).toEqual([200, { webhooks: created.toReversed() }])
})

test('200 with an empty list', async () => {
  expect((await hooks.call('GET', '', await market.register())).body).toEqual({ webhooks: [] })
})
