import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { until } from '../../../support/until.ts'
import { conditionsOn, idsOf, respondWith } from './support/conditions.ts'
import { createFixture } from './support/fixture.ts'
import { startReceiver } from './support/receiver.ts'

const fixture = await createFixture()
const { db, lines } = fixture
const { failing, isDisabled, isFailing, isStatus } = conditionsOn(fixture)

describe('the schedule', () => {
  // Written down once more, from the documentation: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h.
  const pauses = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

  test('has ten attempts with growing pauses, and then the delivery has failed', async () => {
    const { receiver, webhook, worker } = await failing()
    for (const [index, pause] of pauses.entries()) {
      await until(async () => (await fixture.deliveries(webhook.id))[0]?.attempts === index + 1)
      const [delivery] = await fixture.deliveries(webhook.id)
      expect(delivery).toMatchObject({ status: 'pending', last_failure: 'status', last_status: 500 })
      expect(delivery?.pause).toBeGreaterThan(pause - 0.01)
      expect(delivery?.pause).toBeLessThanOrEqual(pause * 1.11)
      // Later only by the time between the end of the attempt and its record.
      const { due_at } = await fixture.row(webhook.id)
      expect(due_at?.getTime()).toBeGreaterThanOrEqual(delivery?.next_attempt_at?.getTime() ?? Number.NaN)
      await fixture.pass(webhook.id, pause * 1.11)
      worker.wake()
    }
    await until(isStatus(webhook.id, 'failed'))
    expect(receiver.received).toHaveLength(10)
    expect(new Set(idsOf(receiver)).size).toBe(1)
    expect(await fixture.row(webhook.id)).toMatchObject({ due_at: null, disabled_at: null })
  })

  test.each([
    ['more than the schedule', '3600', 3600],
    ['less than the schedule', '1', 5],
    ['more than a day', '400000', 86_400],
  ])('Retry-After: %s', async (_, header, pause) => {
    const receiver = await startReceiver()
    receiver.respond = (_request, response) => void response.writeHead(503, { 'retry-after': header }).end()
    const { id, agentId } = await fixture.webhook(receiver.url)
    await fixture.event(agentId)
    fixture.work()
    await until(isFailing(id))
    const [delivery] = await fixture.deliveries(id)
    expect(delivery?.pause).toBeGreaterThan(pause - 0.01)
    expect(delivery?.pause).toBeLessThanOrEqual(pause * 1.11)
  })
})

describe('a webhook that fails', () => {
  test('gets one attempt a round, rests as long as it has failed, and everything once it works', async () => {
    const { receiver, webhook, worker } = await failing(500, 30)
    const first = receiver.received.length
    // What was under way at once, and nothing after the first failure.
    expect(first).toBeLessThanOrEqual(10)
    await fixture.pass(webhook.id, 600)
    worker.wake()
    await until(() => receiver.received.length === first + 1)
    await until(async () => (await fixture.row(webhook.id)).lease_owner === null)
    const rest = await db
      .selectFrom('webhooks')
      .where('id', '=', webhook.id)
      .select(sql<number>`extract(epoch from due_at - now())::float8`.as('seconds'))
      .executeTakeFirstOrThrow()
    expect(rest.seconds).toBeGreaterThan(500)
    receiver.respond = respondWith(200)
    // A new event ends the rest, and is tried first.
    const newest = await fixture.event(webhook.agentId)
    await until(() => receiver.received.length > first + 1)
    expect(idsOf(receiver)[first + 1]).toBe(newest)
    await until(async () => (await fixture.row(webhook.id)).failing_since === null)
    await fixture.pass(webhook.id, 86_400)
    worker.wake()
    await until(isStatus(webhook.id, 'delivered'))
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringContaining('a webhook fails'),
      'a webhook works again',
    ])
    expect(JSON.stringify(lines)).not.toMatch(/localhost|127\.0\.0\.1|whsec/)
  })

  test('is told a day before the end, once, and disabled after 120 hours', async () => {
    const { webhook, worker } = await failing(500, 5)
    const nextRound = async (hours: number) => {
      const before = (await fixture.deliveries(webhook.id)).reduce((sum, { attempts }) => sum + attempts, 0)
      await fixture.pass(webhook.id, hours * 3600)
      worker.wake()
      await until(async () => {
        const now = (await fixture.deliveries(webhook.id)).reduce((sum, { attempts }) => sum + attempts, 0)
        return now > before && (await fixture.row(webhook.id)).lease_owner === null
      })
    }
    const warning = ['webhook.failing', { webhook_id: webhook.id }]
    await nextRound(95)
    expect(await fixture.privateEvents(webhook.agentId)).toEqual([])
    await nextRound(2)
    await until(async () => (await fixture.privateEvents(webhook.agentId)).length > 0)
    expect(await fixture.privateEvents(webhook.agentId)).toEqual([warning])
    await nextRound(22)
    expect((await fixture.row(webhook.id)).disabled_at).toBeNull()
    await nextRound(2)
    await until(isDisabled(webhook.id))
    expect(await fixture.row(webhook.id)).toMatchObject({ disabled_because: 'failing', due_at: null })
    expect(await fixture.privateEvents(webhook.agentId)).toEqual([
      warning,
      ['webhook.disabled', { webhook_id: webhook.id }],
    ])
  })

  test('after five quiet days is told at the next failure, and has a day from then on', async () => {
    const { webhook, worker } = await failing()
    const events = async () => (await fixture.privateEvents(webhook.agentId)).map(([type]) => type)
    await fixture.pass(webhook.id, 144 * 3600)
    worker.wake()
    await until(async () => (await events()).length > 0)
    expect(await events()).toEqual(['webhook.failing'])
    expect((await fixture.row(webhook.id)).disabled_at).toBeNull()
    await fixture.pass(webhook.id, 24 * 3600)
    worker.wake()
    await until(isDisabled(webhook.id))
    expect(await events()).toEqual(['webhook.failing', 'webhook.disabled'])
  })

  test('with 410 is disabled at once', async () => {
    const { webhook } = await failing(410, 3)
    await until(isDisabled(webhook.id))
    expect(await fixture.row(webhook.id)).toMatchObject({ disabled_because: 'gone', due_at: null })
    expect(await fixture.privateEvents(webhook.agentId)).toEqual([
      ['webhook.disabled', { webhook_id: webhook.id }],
    ])
    expect(lines).toMatchObject([
      { msg: expect.stringContaining('disabled'), webhookId: webhook.id, category: 'gone' },
    ])
  })
})
