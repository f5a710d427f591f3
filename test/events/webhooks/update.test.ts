import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'
import { createWebhookScene, echo } from '../../support/webhooks.ts'

const { market, receiver, hooks, agent } = await createWebhookScene()
const update = (id: string, body: unknown, by: { key: string } = agent) =>
  hooks.call('PATCH', `/${id}`, by, body)
const create = async (rest?: object) => (await hooks.create(agent, receiver.url, rest)).webhook
const rowOf = (id: string) =>
  market.db.selectFrom('webhooks').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
const nextAttempt = async (id: string) => {
  const deliveries = market.db.selectFrom('webhook_deliveries').where('webhook_id', '=', id)
  return (await deliveries.select('next_attempt_at').executeTakeFirstOrThrow()).next_attempt_at
}
const statuses = async (id: string) => {
  const rows = await market.db
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', id)
    .select('status')
    .orderBy('position')
    .execute()
  return rows.map(({ status }) => status)
}

test('200 with other types, with every type, and unchanged, all without a challenge', async () => {
  const webhook = await create()
  const before = receiver.received.length
  const changed = { ...webhook, event_types: ['bounty.claimed'] }
  expect((await update(webhook.id, { event_types: ['bounty.claimed'] })).body).toEqual({ webhook: changed })
  expect((await update(webhook.id, {})).body).toEqual({ webhook: changed })
  expect((await update(webhook.id, { url: receiver.url, enabled: true })).body).toEqual({ webhook: changed })
  expect((await update(webhook.id, { event_types: null })).body).toEqual({ webhook })
  expect(receiver.received.length).toBe(before)
})

test('200 with a new URL that echoed its challenge', async () => {
  const webhook = await create()
  const url = `${receiver.url}/other`
  const { status, body } = await update(webhook.id, { url })
  expect([status, body]).toEqual([200, { webhook: { ...webhook, url } }])
  expect(receiver.received.at(-1)?.body.type).toBe('webhook.challenge')
})

test('200 with a new URL: a webhook that failed starts anew there, with all that is pending', async () => {
  const owner = await market.register()
  const { id } = (await hooks.create(owner, receiver.url)).webhook
  await hooks.event(owner)
  const later = new Date(Date.now() + 3_600_000)
  await setRows(market.db, 'webhook_deliveries', { webhook_id: id }, { next_attempt_at: later })
  const failing = { failing_since: new Date(), warned_at: new Date(), due_at: later }
  await market.db.updateTable('webhooks').set(failing).where('id', '=', id).execute()
  await update(id, { event_types: null }, owner)
  expect(await rowOf(id)).toMatchObject(failing)
  const { body } = await update(id, { url: `${receiver.url}/anew` }, owner)
  expect(body.webhook.first_failed_at).toBeNull()
  const row = await rowOf(id)
  expect(row).toMatchObject({ failing_since: null, warned_at: null, lease_owner: null })
  for (const due of [row.due_at, await nextAttempt(id)]) expect(Number(due)).toBeLessThanOrEqual(Date.now())
})

test('200 disabled: what is pending waits, as does what happens from then on', async () => {
  const webhook = await create()
  await hooks.event(agent)
  await hooks.settle(webhook.id, 'delivered')
  await hooks.event(agent)
  const { status, body } = await update(webhook.id, { enabled: false })
  expect(status).toBe(200)
  expect(body.webhook).toEqual({
    ...webhook,
    status: 'disabled',
    disabled_because: 'owner',
    disabled_at: expect.any(String),
  })
  await hooks.event(agent)
  expect(await statuses(webhook.id)).toEqual(['delivered', 'pending', 'pending'])
  expect((await rowOf(webhook.id)).due_at).toBeNull()
  const { deliveries } = (await hooks.call('GET', `/${webhook.id}/deliveries`, agent)).body
  for (const delivery of deliveries) expect(delivery.next_attempt_at).toBeNull()
  // Disabling again changes nothing.
  expect((await update(webhook.id, { enabled: false })).body.webhook).toEqual(body.webhook)
})

test('200 enabled again after a challenge: it gets what waits', async () => {
  const webhook = await create()
  await hooks.event(agent)
  await update(webhook.id, { enabled: false })
  await hooks.event(agent)
  const later = new Date(Date.now() + 3_600_000)
  await setRows(market.db, 'webhook_deliveries', { webhook_id: webhook.id }, { next_attempt_at: later })
  await market.db
    .updateTable('webhooks')
    .set({ failing_since: new Date(), warned_at: new Date() })
    .where('id', '=', webhook.id)
    .execute()
  const before = receiver.received.length
  expect((await update(webhook.id, { enabled: true })).body.webhook).toEqual(webhook)
  expect(receiver.received.slice(before).map(({ body }) => body.type)).toEqual(['webhook.challenge'])
  const row = await rowOf(webhook.id)
  expect(row).toMatchObject({ failing_since: null, warned_at: null })
  for (const due of [row.due_at, await nextAttempt(webhook.id)])
    expect(Number(due)).toBeLessThanOrEqual(Date.now())
  await hooks.event(agent)
  expect(await statuses(webhook.id)).toEqual(['pending', 'pending', 'pending'])
})

test('400 webhook_challenge_failed for a new URL or enabling, and nothing has changed', async () => {
  const webhook = await create()
  const disabled = (await update((await create()).id, { enabled: false })).body.webhook
  receiver.become((_received, response) => void response.writeHead(500).end())
  const refused = await update(webhook.id, { url: `${receiver.url}/b`, event_types: ['bounty.claimed'] })
  expectError(refused, 'webhook_challenge_failed')
  expectError(await update(disabled.id, { enabled: true }), 'webhook_challenge_failed')
  receiver.become(echo)
  for (const unchanged of [webhook, disabled])
    expect((await hooks.call('GET', `/${unchanged.id}`, agent)).body.webhook).toEqual(unchanged)
})

test('400 webhook_url_refused', async () => {
  expectError(await update((await create()).id, { url: 'http://agent.example/' }), 'webhook_url_refused')
})

test('503 webhooks_unavailable for what needs a challenge, without a master key', async () => {
  const webhook = (await hooks.create(agent, receiver.url)).webhook
  const bare = await createTestMarket({ sharing: market, without: ['wallets'], engines: false })
  const path = `/api/webhooks/${webhook.id}`
  const change = (body: unknown) => bare.api('PATCH', path, { key: agent.key, body })
  expectError(await change({ url: `${receiver.url}/c` }), 'webhooks_unavailable')
  expect((await change({ enabled: false })).status).toBe(200)
})
