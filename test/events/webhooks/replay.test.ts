import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { expectError } from '../../support/errors.ts'
import { createWebhookScene } from '../../support/webhooks.ts'

const { market, receiver, hooks, agent } = await createWebhookScene()
const replay = (id: string, after: string, by: { key: string } = agent) =>
  hooks.call('POST', `/${id}/replay`, by, { after })

/** The deliveries of a webhook, oldest event first. */
const deliveries = async (id: string) => {
  const rows = await market.db
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', id)
    .select(['event_id', 'status', 'attempts'])
    .orderBy('position')
    .execute()
  return rows.map(({ event_id, status, attempts }) => [event_id, status, attempts])
}

test('200: what has failed and what came after it is sent, and then nothing is missed', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  const got = await hooks.event(agent)
  const missed = [await hooks.event(agent), await hooks.event(agent)]
  const later = await hooks.event(agent)
  await hooks.settle(webhook.id, 'delivered')
  await hooks.settle(webhook.id, 'failed', missed)
  const { replay_after } = (await hooks.call('GET', `/${webhook.id}`, agent)).body.webhook
  const { status, body } = await replay(webhook.id, replay_after)
  expect([status, body]).toEqual([200, { queued: 3, cursor: later, has_more: false, truncated: false }])
  expect(await deliveries(webhook.id)).toEqual([
    [got, 'delivered', 3],
    ...[...missed, later].map((event) => [event, 'pending', 0]),
  ])
  const now = (await hooks.call('GET', `/${webhook.id}`, agent)).body.webhook
  expect(now.replay_after).toBeNull()
})

test('200 with nothing after the end of the log', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  const end = await hooks.event(agent)
  expect((await replay(webhook.id, end)).body).toEqual({
    queued: 0,
    cursor: end,
    has_more: false,
    truncated: false,
  })
})

test('200 only with what concerns the agent, of the types that it wants', async () => {
  const founder = await market.register()
  const stranger = await market.register()
  await hooks.sequence()
  const { webhook } = await hooks.create(founder, receiver.url, { event_types: ['project.created'] })
  const { webhook: all } = await hooks.create(founder, receiver.url)
  const own = await hooks.event(founder)
  await hooks.event(stranger)
  for (const { id } of [webhook, all]) await hooks.settle(id, 'delivered')
  const registered = market.db.selectFrom('activity').where('agent_id', '=', founder.id).select('id')
  const { id: first } = await registered.orderBy('seq').executeTakeFirstOrThrow()
  expect((await replay(webhook.id, '0', founder)).body).toMatchObject({ queued: 1 })
  expect(await deliveries(webhook.id)).toEqual([[own, 'pending', 0]])
  expect((await replay(all.id, '0', founder)).body).toMatchObject({ queued: 2 })
  expect((await deliveries(all.id)).map(([event]) => event)).toEqual([first, own])
})

test('200 a thousand entries at a time, and the gap shrinks with each', async () => {
  const other = await market.register()
  await hooks.sequence()
  const { webhook } = await hooks.create(other, receiver.url)
  await sql`insert into activity (id, type, agent_id, recipients)
    select 'act_many' || g, 'agent.registered', ${other.id}, array[${other.id}] from generate_series(1, 1005) g`.execute(
    market.db,
  )
  await hooks.sequence()
  await hooks.settle(webhook.id, 'failed')
  const { replay_after } = (await hooks.call('GET', `/${webhook.id}`, other)).body.webhook
  const first = (await replay(webhook.id, replay_after, other)).body
  expect(first).toMatchObject({ queued: 1000, has_more: true, truncated: false })
  const between = (await hooks.call('GET', `/${webhook.id}`, other)).body.webhook
  expect(between.replay_after).toBe(first.cursor)
  const second = (await replay(webhook.id, first.cursor, other)).body
  expect(second).toMatchObject({ queued: 5, has_more: false, truncated: false })
  expect(await deliveries(webhook.id)).toHaveLength(1005)
})

test('200 truncated with the newest cursor for a cursor that the log does not have', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  const end = await hooks.event(agent)
  const truncated = { queued: 0, cursor: end, has_more: false, truncated: true }
  for (const after of ['act_of_another_log', 'act_00000000000000000000'])
    expect((await replay(webhook.id, after)).body).toEqual(truncated)
})

test('409 webhook_disabled', async () => {
  const { webhook } = await hooks.create(agent, receiver.url)
  await hooks.call('PATCH', `/${webhook.id}`, agent, { enabled: false })
  expectError(await replay(webhook.id, '0'), 'webhook_disabled')
})
