import { expect, test } from 'vitest'
import { readRow } from '../../support/stored.ts'
import { createWebhookScene } from '../../support/webhooks.ts'

const { market, receiver, hooks, agent } = await createWebhookScene()

/** The cursor of the place just before an event. */
async function placeBefore(eventId: string): Promise<string> {
  const { position } = await readRow(market.db, 'activity', { id: eventId })
  const before = await readRow(market.db, 'activity', { position: Number(position) - 1 })
  return before.id
}

test('200 with the webhook as it was returned, without its secret', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  const { status, body } = await hooks.call('GET', `/${webhook.id}`, agent)
  expect([status, body]).toEqual([200, { webhook }])
})

test('200 with the origin alone of its URL for a token of the scope `read`, here and in the list', async () => {
  const url = `${receiver.url}/services/T0/secret?key=hidden`
  const { webhook } = await hooks.create(agent, url)
  const { body: made } = await market.api('POST', '/api/agents/me/tokens', {
    key: agent.key,
    body: { scope: 'read', label: 'watch' },
  })
  const [one, all] = await Promise.all(
    [`/${webhook.id}`, ''].map((at) => hooks.call('GET', at, { key: made.secret })),
  )
  const shown = { ...webhook, url: `${new URL(url).origin}/…` }
  expect([one?.body.webhook, all?.body.webhooks[0]]).toEqual([shown, shown])
  expect(JSON.stringify([one?.body, all?.body])).not.toContain('/hook')
})

test('200 with replay_after just before the oldest failed delivery, and null once all have arrived', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  const replayAfter = async () => (await hooks.call('GET', `/${webhook.id}`, agent)).body.webhook.replay_after
  const events = [await hooks.event(agent), await hooks.event(agent), await hooks.event(agent)]
  expect(await replayAfter()).toBeNull()
  await hooks.settle(webhook.id, 'delivered')
  await hooks.settle(webhook.id, 'failed', events.slice(1))
  expect(await replayAfter()).toBe(await placeBefore(events[1] ?? ''))
  await hooks.settle(webhook.id, 'delivered')
  expect(await replayAfter()).toBeNull()
})
