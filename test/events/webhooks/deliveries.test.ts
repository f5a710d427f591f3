import { expect, test } from 'vitest'
import { createWebhookScene } from '../../support/webhooks.ts'

const { receiver, hooks, agent } = await createWebhookScene()
await hooks.sequence()
const { webhook } = await hooks.create(agent, receiver.url)
const events: string[] = []
for (let count = 0; count < 5; count++) events.push(await hooks.event(agent))
await hooks.settle(webhook.id, 'delivered', events.slice(0, 2))
await hooks.settle(webhook.id, 'failed', events.slice(2, 3))
const newestFirst = events.toReversed()
const list = (query = '', by: { key: string } = agent) =>
  hooks.call('GET', `/${webhook.id}/deliveries${query}`, by)
const idsOf = (body: { deliveries: { event_id: string }[] }) =>
  body.deliveries.map(({ event_id }) => event_id)

test('200 with what became of each event, newest event first', async () => {
  const { status, body } = await list()
  expect([status, idsOf(body), body.next]).toEqual([200, newestFirst, null])
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  const pending = {
    event_id: events[4],
    type: 'project.created',
    status: 'pending',
    attempts: 0,
    next_attempt_at: time,
    last_attempt_at: null,
    last_failure: null,
    last_status: null,
    last_duration_ms: null,
    created_at: time,
  }
  expect(body.deliveries[0]).toEqual(pending)
  const ended = { attempts: 3, next_attempt_at: null }
  expect(body.deliveries[2]).toEqual({
    ...pending,
    event_id: events[2],
    status: 'failed',
    last_failure: 'timeout',
    ...ended,
  })
  expect(body.deliveries[4]).toEqual({ ...pending, event_id: events[0], status: 'delivered', ...ended })
})

test('200 page by page', async () => {
  const first = (await list('?limit=2')).body
  expect([idsOf(first), first.next]).toEqual([newestFirst.slice(0, 2), events[3]])
  const second = (await list(`?limit=3&after=${first.next}`)).body
  expect([idsOf(second), second.next]).toEqual([newestFirst.slice(2), null])
})

test.each([
  ['pending', [4, 3]],
  ['failed', [2]],
  ['delivered', [1, 0]],
] as const)('200 with those that are %s only', async (status, expected) => {
  expect(idsOf((await list(`?status=${status}`)).body)).toEqual(expected.map((nth) => events[nth]))
  const last = expected.at(-1) ?? 0
  expect(idsOf((await list(`?status=${status}&after=${events[last]}`)).body)).toEqual([])
})
