import { expect, test } from 'vitest'
import { createWebhookScene } from '../../support/webhooks.ts'

const { market, receiver, hooks } = await createWebhookScene()

test("200 with the caller's webhooks, newest first, and nobody else's", async () => {
  const agent = await market.register()
  const other = await market.register()
  const created = []
  for (let count = 0; count < 3; count++) created.push((await hooks.create(agent, receiver.url)).webhook)
  await hooks.create(other, receiver.url)
  const { status, body } = await hooks.call('GET', '', agent)
  expect([status, body]).toEqual([200, { webhooks: created.toReversed() }])
})

test('200 with an empty list', async () => {
  expect((await hooks.call('GET', '', await market.register())).body).toEqual({ webhooks: [] })
})
