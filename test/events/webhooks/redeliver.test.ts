import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createWebhookScene } from '../../support/webhooks.ts'

const { market, receiver, hooks, agent } = await createWebhookScene()
const redeliver = (id: string, event: string, by: { key: string } = agent) =>
  hooks.call('POST', `/${id}/deliveries/${event}/redeliver`, by)

test.each(['delivered', 'failed'] as const)(
  '200 with a delivery that was %s and is due again',
  async (status) => {
    const { webhook } = await hooks.create(agent, receiver.url)
    const event = await hooks.event(agent)
    await hooks.settle(webhook.id, status)
    const row = market.db.selectFrom('webhooks').where('id', '=', webhook.id)
    await market.db.updateTable('webhooks').set({ due_at: null }).where('id', '=', webhook.id).execute()
    const response = await redeliver(webhook.id, event)
    expect(response.status).toBe(200)
    expect(response.body.delivery).toMatchObject({
      event_id: event,
      type: 'project.created',
      status: 'pending',
      attempts: 0,
      next_attempt_at: expect.any(String),
    })
    const { due_at } = await row.select('due_at').executeTakeFirstOrThrow()
    const { next_attempt_at } = response.body.delivery
    expect(Math.abs(Number(due_at) - Date.parse(next_attempt_at))).toBeLessThan(1000)
  },
)

test('404 delivery_not_found for an event that the webhook did not get', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  expectError(await redeliver(webhook.id, 'act_00000000000000000000'), 'delivery_not_found')
  const others = await hooks.event(await market.register())
  expectError(await redeliver(webhook.id, others), 'delivery_not_found')
})

test('409 webhook_disabled', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  const event = await hooks.event(agent)
  await hooks.call('PATCH', `/${webhook.id}`, agent, { enabled: false })
  expectError(await redeliver(webhook.id, event), 'webhook_disabled')
})
