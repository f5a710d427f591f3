import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createWebhookScene } from '../../support/webhooks.ts'

const { market, receiver, hooks, agent } = await createWebhookScene()

test('200 with the webhook as it was; its deliveries are gone, those of others stay', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  const { webhook: other } = await hooks.create(agent, receiver.url)
  const event_id = await hooks.event(agent)
  const { status, body } = await hooks.call('DELETE', `/${webhook.id}`, agent)
  expect([status, body]).toEqual([200, { webhook }])
  expectError(await hooks.call('GET', `/${webhook.id}`, agent), 'webhook_not_found')
  const left = market.db.selectFrom('webhook_deliveries').where('event_id', '=', event_id)
  expect(await left.select('webhook_id').execute()).toEqual([{ webhook_id: other.id }])
})
