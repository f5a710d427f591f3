import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { readRow } from '../../support/stored.ts'
import { createWebhookScene } from '../../support/webhooks.ts'

const { market, receiver, hooks, agent } = await createWebhookScene()

test('200 with the id of an event that only this webhook gets, whatever its types', async () => {
  const { webhook } = await hooks.create(agent, receiver.url, { event_types: ['bounty.claimed'] })
  await hooks.create(agent, receiver.url)
  const { status, body } = await hooks.call('POST', `/${webhook.id}/test`, agent)
  expect([status, body]).toEqual([200, { event_id: expect.stringMatching(/^act_[0-9a-z]{20}$/) }])
  await hooks.sequence()
  const deliveries = await market.db
    .selectFrom('webhook_deliveries')
    .where('event_id', '=', body.event_id)
    .select(['webhook_id', 'status'])
    .execute()
  expect(deliveries).toEqual([{ webhook_id: webhook.id, status: 'pending' }])
  const entry = await readRow(market.db, 'activity', { id: body.event_id })
  expect(entry).toMatchObject({
    type: 'webhook.tested',
    visibility: 'private',
    agent_id: agent.id,
    data: { webhook_id: webhook.id },
  })
})

test('409 webhook_disabled, and 200 under the same Idempotency-Key once it is enabled', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  await hooks.call('PATCH', `/${webhook.id}`, agent, { enabled: false })
  const headers = { 'idempotency-key': randomUUID() }
  const ask = () => market.api('POST', `/api/webhooks/${webhook.id}/test`, { key: agent.key, headers })
  expectError(await ask(), 'webhook_disabled')
  await hooks.call('PATCH', `/${webhook.id}`, agent, { enabled: true })
  expect((await ask()).status).toBe(200)
})
