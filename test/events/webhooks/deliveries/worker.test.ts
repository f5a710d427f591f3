import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sequenceEntries } from '../../../../server/events/log/sequence.ts'
import { recordActivity } from '../../../../server/events/record.ts'
import { disabled } from '../../../../server/events/webhooks/deliveries/lasting-failure.ts'
import {
  deleteEndedDeliveries,
  leaseDue,
  loadDue,
  recordRound,
} from '../../../../server/events/webhooks/deliveries/store.ts'
import {
  changeWebhook,
  redeliver,
  replay,
  restartWebhook,
} from '../../../../server/events/webhooks/queries.ts'
import { newWebhookSecret } from '../../../../server/events/webhooks/sealing.ts'
import { whileUncommitted } from '../../../support/row-locks.ts'
import { readRow, setRows } from '../../../support/stored.ts'
import { until } from '../../../support/until.ts'
import { conditionsOn, idsOf } from './support/conditions.ts'
import { createFixture } from './support/fixture.ts'
import { startReceiver } from './support/receiver.ts'

const fixture = await createFixture()
const { db, lines } = fixture
const { isStatus } = conditionsOn(fixture)

describe('a delivery', () => {
  test('is signed with the secret, and during a rotation with the one before as well', async () => {
    const receiver = await startReceiver()
    const current = newWebhookSecret()
    const former = newWebhookSecret()
    const ended = newWebhookSecret()
    const [soon, past] = [3_600_000, -1].map((ms) => new Date(Date.now() + ms).toISOString()) as [
      string,
      string,
    ]
    const rotated = await fixture.webhook(receiver.url, {
      current,
      previous: { secret: former, ends_at: soon },
    })
    const eventId = await fixture.event(rotated.agentId)
    fixture.work()
    await until(isStatus(rotated.id, 'delivered'))
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    for (const secret of [current, former])
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'agent.registered',
        data: { id: eventId },
      })
    const late = await fixture.webhook(receiver.url, {
      current: former,
      previous: { secret: ended, ends_at: past },
    })
    await fixture.event(late.agentId)
    await until(() => receiver.received.length === 2)
    expect(receiver.received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/)
  })

  test("is signed at the time of the database's clock, also where this machine's is an hour ahead", async () => {
    const receiver = await startReceiver()
    const secret = newWebhookSecret()
    const { id, agentId } = await fixture.webhook(receiver.url, { current: secret, previous: null })
    const eventId = await fixture.event(agentId)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    fixture.work()
    await until(isStatus(id, 'delivered'))
    vi.useRealTimers()
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    const event = new Webhook(secret).verify(body, headers as Record<string, string>)
    expect(event).toMatchObject({ data: { id: eventId } })
  })

  test('holds the event as the API returns it', async () => {
    const receiver = await startReceiver()
    const { id, agentId } = await fixture.webhook(receiver.url)
    const eventId = await fixture.event(agentId)
    fixture.work()
    await until(isStatus(id, 'delivered'))
    const { created_at } = await readRow(db, 'activity', { id: eventId })
    const timestamp = created_at.toISOString()
    expect(idsOf(receiver)).toEqual([eventId])
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      type: 'agent.registered',
      timestamp,
      data: {
        id: eventId,
        type: 'agent.registered',
        agent_id: agentId,
        actor_id: agentId,
        project_id: null,
        bounty_id: null,
        submission_id: null,
        data: {},
        created_at: timestamp,
      },
    })
    expect(await fixture.deliveries(id)).toMatchObject([
      { status: 'delivered', attempts: 1, last_failure: null, last_status: 204, next_attempt_at: null },
    ])
    expect(await fixture.row(id)).toMatchObject({ due_at: null, failing_since: null, lease_owner: null })
  })

  test('is made again under the same id by who asks for it while it is under way', async () => {
    const receiver = await startReceiver()
    const { id, agentId } = await fixture.webhook(receiver.url)
    const eventId = await fixture.event(agentId)
    receiver.respond = async (_request, response) => {
      if (receiver.received.length === 1)
        await sql`with again as (update webhook_deliveries set next_attempt_at = clock_timestamp(), attempts = 0
          where webhook_id = ${id})
          update webhooks set due_at = clock_timestamp() where id = ${id}`.execute(db)
      response.writeHead(204).end()
    }
    fixture.work()
    await until(isStatus(id, 'delivered'))
    expect(idsOf(receiver)).toEqual([eventId, eventId])
  })
})

test('entries that are numbered together all reach their webhook, and are sent in the order of the log', async () => {
  const receiver = await startReceiver()
  const { id, agentId } = await fixture.webhook(receiver.url)
  const ids: string[] = []
  for (let count = 0; count < 20; count++)
    ids.push(await recordActivity(db, { type: 'agent.registered', agent_id: agentId }))
  await sequenceEntries(db, 1000)
  for (const [isFailing, order] of [
    [false, ids],
    [true, ids.toReversed()],
  ] as const) {
    const due = await loadDue(db, { id, isFailing }, 50)
    expect(due.map(({ event }) => event.id)).toEqual(order)
  }
  fixture.work()
  await until(isStatus(id, 'delivered'))
  expect(new Set(idsOf(receiver)).size).toBe(20)
})

describe('a round that has ended', () => {
  /** A leased webhook with its due deliveries, and what records that they arrived. */
  async function leased(seconds: number) {
    const webhook = await fixture.webhook('http://localhost:1')
    const events = [await fixture.event(webhook.agentId), await fixture.event(webhook.agentId)]
    await fixture.pass(webhook.id, 600)
    const wanted = { failing: false, limit: 1, keyVersions: [1] }
    const [lease] = await leaseDue(db, wanted, { holder: 'this', seconds })
    if (!lease) throw new Error('nothing was due')
    const due = await loadDue(db, lease, 1)
    const result = { failure: null, status: 204, durationMs: 1, retryAfterSeconds: null, pauseSeconds: null }
    const record = () =>
      recordRound(
        db,
        lease,
        due.map((delivery) => ({ ...result, delivery, endedAt: performance.now() })),
      )
    return { webhook, events, record }
  }

  test('puts a webhook with more to send behind those that wait', async () => {
    const { webhook, record } = await leased(60)
    const other = await fixture.webhook('http://localhost:1')
    await fixture.event(other.agentId)
    await record()
    const row = await fixture.row(webhook.id)
    const waiting = await fixture.row(other.id)
    expect(Number(row.due_at)).toBeGreaterThanOrEqual(Number(waiting.due_at))
  })

  test.each([
    ['made again alone', (id: string, event: string) => redeliver(db, id, event)],
    ['made again by a replay', (id: string) => replay(db, id, { after: 0, window: 1e6 })],
  ])('leaves due what was %s, also after its lease', async (_, makeAgain) => {
    const { webhook, events, record } = await leased(-1)
    await makeAgain(webhook.id, events[0] ?? '')
    await sql`update webhook_deliveries set status = 'delivered', next_attempt_at = null
      where webhook_id = ${webhook.id} and event_id = ${events[1]}`.execute(db)
    await record()
    expect((await fixture.row(webhook.id)).due_at).not.toBeNull()
  })
})

test('a disabled webhook gets nothing; what waits then and what happens meanwhile is sent once it is enabled', async () => {
  const receiver = await startReceiver()
  const { id, agentId } = await fixture.webhook(receiver.url)
  const before = await fixture.event(agentId)
  const wanted = { failing: false, limit: 1, keyVersions: [1] }
  const [lease] = await leaseDue(db, wanted, { holder: 'this', seconds: 60 })
  await changeWebhook(db, id, disabled('owner'))
  expect(lease && (await loadDue(db, lease, 50))).toEqual([])
  expect(lease && (await recordRound(db, lease, []))).toBeUndefined()
  const meanwhile = await fixture.event(agentId)
  expect(await fixture.row(id)).toMatchObject({ due_at: null, lease_owner: null })
  expect(await leaseDue(db, wanted, { holder: 'this', seconds: 60 })).toEqual([])
  expect(await isStatus(id, 'pending')()).toBe(true)
  await restartWebhook(db, id)
  fixture.work()
  await until(isStatus(id, 'delivered'))
  expect(idsOf(receiver).toSorted()).toEqual([before, meanwhile].toSorted())
})

test.each(['enabled', 'disabled'] as const)(
  'an event that is numbered while a webhook is being %s: it is due if it is enabled',
  async (then) => {
    const { id, agentId } = await fixture.webhook('http://localhost:1')
    await changeWebhook(db, id, disabled('owner'))
    if (then === 'disabled') await restartWebhook(db, id)
    // As by an enabled webhook whose round has found nothing.
    const enabled = { disabled_at: null, disabled_because: null, due_at: null }
    const change = then === 'enabled' ? enabled : disabled('owner')
    await whileUncommitted(
      db,
      (trx) => changeWebhook(trx, id, change),
      () => fixture.event(agentId),
    )
    expect(await fixture.deliveries(id)).toMatchObject([{ status: 'pending' }])
    expect((await fixture.row(id)).due_at !== null).toBe(then === 'enabled')
  },
)

test('a webhook whose secrets were altered waits, and the others go on', async () => {
  const receiver = await startReceiver()
  const altered = await fixture.webhook(receiver.url)
  await setRows(db, 'webhooks', { id: altered.id }, { sealed_secrets: Buffer.alloc(60) })
  const sound = await fixture.webhook(receiver.url)
  await fixture.event(altered.agentId)
  const sent = await fixture.event(sound.agentId)
  fixture.work()
  await until(isStatus(sound.id, 'delivered'))
  await until(() => lines.length > 0)
  expect(lines).toMatchObject([
    { level: 50, webhookId: altered.id, msg: expect.stringContaining('NEEDS OPERATOR') },
  ])
  expect(idsOf(receiver)).toEqual([sent])
  expect(await isStatus(altered.id, 'pending')()).toBe(true)
})

test('deliveries that ended are deleted after the retention, pending ones only where the webhook is disabled', async () => {
  const receiver = await startReceiver()
  const { id, agentId } = await fixture.webhook(receiver.url)
  for (let count = 0; count < 4; count++) await fixture.event(agentId)
  const [old, young, pending] = await fixture.deliveries(id)
  const set = (eventId: string | undefined, days: number, status: 'delivered' | 'pending') =>
    sql`update webhook_deliveries set created_at = now() - make_interval(days => ${days}), status = ${status},
      next_attempt_at = case when ${status} = 'pending' then now() end where event_id = ${eventId}`.execute(
      db,
    )
  await set(old?.event_id, 31, 'delivered')
  await set(young?.event_id, 29, 'delivered')
  await set(pending?.event_id, 31, 'pending')
  await deleteEndedDeliveries(db, 30, 1)
  expect((await fixture.deliveries(id)).map(({ event_id }) => event_id)).not.toContain(old?.event_id)
  expect(await fixture.deliveries(id)).toHaveLength(3)
  await changeWebhook(db, id, disabled('owner'))
  await deleteEndedDeliveries(db, 30, 1)
  const left = (await fixture.deliveries(id)).map(({ event_id }) => event_id)
  expect(left).toHaveLength(2)
  expect(left).not.toContain(pending?.event_id)
})

test('retention deletes nothing else where the deliveries are in partitions', async () => {
  await db.transaction().execute(async (trx) => {
    await sql`create table parted (like webhook_deliveries including all) partition by hash (webhook_id)`.execute(
      trx,
    )
    for (const part of [0, 1])
      await sql`create table ${sql.table(`part_${part}`)} partition of parted
        for values with (modulus 2, remainder ${sql.lit(part)})`.execute(trx)
    await sql`alter table webhook_deliveries rename to unparted`.execute(trx)
    await sql`alter table parted rename to webhook_deliveries`.execute(trx)
    // The first row of each partition has the same place in it.
    await sql`insert into webhook_deliveries (webhook_id, event_id, position, status, next_attempt_at, created_at)
      select id, 'act_' || id, n, 'delivered', null, now() - case when n <= 20 then interval '31 days' else interval '1 day' end
      from (select n, 'whk_' || n as id from generate_series(1, 40) n) made`.execute(trx)
    await deleteEndedDeliveries(trx, 30)
    const { rows } = await sql<{
      position: string
    }>`select position from webhook_deliveries order by position`.execute(trx)
    expect(rows.map(({ position }) => Number(position))).toEqual(Array.from({ length: 20 }, (_, n) => n + 21))
    await sql`drop table webhook_deliveries`.execute(trx)
    await sql`alter table unparted rename to webhook_deliveries`.execute(trx)
  })
})
