import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createWalletVault } from '../../../server/crypto/wallet-vault.ts'
import { newWebhookSecret } from '../../../server/crypto/webhook-secrets.ts'
import { recordActivity } from '../../../server/db/activity.ts'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { sequenceEntries } from '../../../server/engines/event-log/sequence.ts'
import { disableWebhook } from '../../../server/engines/webhooks/disable.ts'
import {
  deleteEndedDeliveries,
  endPending,
  leaseDue,
  loadDue,
  recordRound,
} from '../../../server/engines/webhooks/store.ts'
import { redeliver, replay } from '../../../server/operations/webhooks/queries.ts'
import { until } from '../../support/until.ts'
import { createFixture, masterKey } from './support/fixture.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'

const fixture = await createFixture()
const { db, lines } = fixture
const root = join(import.meta.dirname, '../..')
const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'])
const respondWith =
  (status: number): Receiver['respond'] =>
  (_request, response) =>
    void response.writeHead(status).end()
const hang: Receiver['respond'] = () => undefined
const isStatus = (id: string, status: string) => async () =>
  (await fixture.deliveries(id)).every((delivery) => delivery.status === status)
const isFailing = (id: string) => async () => (await fixture.row(id)).failing_since !== null

/** A webhook at which nothing arrives, with `events` events, after the first round. */
async function failing(status = 500, events = 1) {
  const receiver = await startReceiver()
  receiver.respond = respondWith(status)
  const webhook = await fixture.webhook(receiver.url)
  for (let count = 0; count < events; count++) await fixture.event(webhook.agentId)
  const worker = fixture.work()
  await until(
    async () => (await fixture.row(webhook.id)).lease_owner === null && receiver.received.length > 0,
  )
  return { receiver, webhook, worker }
}

describe('a delivery', () => {
  test('is signed with the secret, and during a rotation with the one before as well', async () => {
    const receiver = await startReceiver()
    const [current, former, ended] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
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

  test('holds the event as the API returns it', async () => {
    const receiver = await startReceiver()
    const { id, agentId } = await fixture.webhook(receiver.url)
    const eventId = await fixture.event(agentId)
    fixture.work()
    await until(isStatus(id, 'delivered'))
    const { created_at } = await db
      .selectFrom('activity')
      .where('id', '=', eventId)
      .select('created_at')
      .executeTakeFirstOrThrow()
    const timestamp = created_at.toISOString()
    expect(idsOf(receiver)).toEqual([eventId])
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      type: 'agent.registered',
      timestamp,
      data: {
        id: eventId,
        type: 'agent.registered',
        agent_id: agentId,
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
      expect((await fixture.row(webhook.id)).due_at).toEqual(delivery?.next_attempt_at)
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
    await until(isStatus(webhook.id, 'failed'))
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
    await until(isStatus(webhook.id, 'failed'))
    expect(await events()).toEqual(['webhook.failing', 'webhook.disabled'])
  })

  test('with 410 is disabled at once', async () => {
    const { webhook } = await failing(410, 3)
    await until(isStatus(webhook.id, 'failed'))
    expect(await fixture.row(webhook.id)).toMatchObject({ disabled_because: 'gone', due_at: null })
    expect(await fixture.privateEvents(webhook.agentId)).toEqual([
      ['webhook.disabled', { webhook_id: webhook.id }],
    ])
    expect(lines).toMatchObject([
      { msg: expect.stringContaining('disabled'), webhookId: webhook.id, category: 'gone' },
    ])
  })
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
    const [row, waiting] = [await fixture.row(webhook.id), await fixture.row(other.id)]
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

test('disabling changes no delivery; what is pending then is never sent, and ends in short statements', async () => {
  const [one, other] = [
    await fixture.webhook('http://localhost:1'),
    await fixture.webhook('http://localhost:1'),
  ]
  const first = await fixture.event(one.agentId)
  for (const { agentId } of [one, one, other]) await fixture.event(agentId)
  const [lease] = await leaseDue(
    db,
    { failing: false, limit: 1, keyVersions: [1] },
    { holder: 'this', seconds: 60 },
  )
  expect(lease?.id).toBe(one.id)
  await disableWebhook(db, one.id, 'owner')
  expect(await isStatus(one.id, 'pending')()).toBe(true)
  expect(lease && (await loadDue(db, lease, 50))).toEqual([])
  // A replay begins before the first that is pending.
  const [delivery] = await fixture.deliveries(one.id)
  expect(delivery?.event_id).toBe(first)
  expect((await fixture.row(one.id)).missed_after).toBe(Number(delivery?.position) - 1)
  await endPending(db, other.id, 1)
  expect(await isStatus(one.id, 'pending')()).toBe(true)
  await endPending(db, undefined, 1)
  expect(await isStatus(one.id, 'failed')()).toBe(true)
  expect(await isStatus(other.id, 'pending')()).toBe(true)
})

test('receivers that hang delay nobody else', async () => {
  const silent = await startReceiver()
  silent.respond = hang
  const hanging = await Promise.all(Array.from({ length: 30 }, () => fixture.webhook(silent.url)))
  for (const { agentId } of hanging) await fixture.event(agentId)
  const quick = await startReceiver()
  const webhooks = await Promise.all(Array.from({ length: 5 }, () => fixture.webhook(quick.url)))
  fixture.work({ timeoutMs: 100_000 })
  await until(() => silent.received.length === hanging.length)
  const sent: string[] = []
  for (let count = 0; count < 10; count++)
    for (const { agentId } of webhooks) sent.push(await fixture.event(agentId))
  await until(() => quick.received.length >= sent.length)
  expect(idsOf(quick).toSorted()).toEqual(sent.toSorted())
  for (const { id } of hanging)
    expect(await fixture.deliveries(id)).toMatchObject([{ status: 'pending', attempts: 0 }])
  silent.close()
})

test('two processes send each event once', async () => {
  const receiver = await startReceiver()
  const webhooks = await Promise.all(Array.from({ length: 8 }, () => fixture.webhook(receiver.url)))
  fixture.work()
  fixture.work()
  const sent: string[] = []
  await Promise.all(
    webhooks.map(async ({ agentId }) => {
      for (let count = 0; count < 15; count++) sent.push(await fixture.event(agentId))
    }),
  )
  for (const { id } of webhooks) await until(isStatus(id, 'delivered'))
  expect(idsOf(receiver).toSorted()).toEqual(sent.toSorted())
})

test('while the database is away nothing is lost, and each attempt more has the same id', async () => {
  const receiver = await startReceiver()
  const { id, agentId } = await fixture.webhook(receiver.url)
  const operator = createDatabase(createPool(fixture.url, { size: 1 }))
  onTestFinished(() => operator.destroy())
  // Between the attempt and its record the table is gone and every connection of the service ends.
  receiver.respond = async (_request, response) => {
    if (receiver.received.length === 1) {
      await operator.schema.alterTable('webhook_deliveries').renameTo('deliveries_away').execute()
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(operator)
    }
    response.writeHead(204).end()
  }
  const sent = await fixture.event(agentId)
  fixture.work({ timing: { webhooksMs: 20, webhookLeaseSeconds: 1 } })
  await until(() => lines.length > 0)
  expect(lines[0]).toMatchObject({ level: 40, msg: expect.stringContaining('trying again') })
  await operator.schema.alterTable('deliveries_away').renameTo('webhook_deliveries').execute()
  await until(isStatus(id, 'delivered'))
  expect(receiver.received.length).toBeGreaterThan(1)
  expect(new Set(idsOf(receiver))).toEqual(new Set([sent]))
})

test.each([
  ['delivery sent', 3],
  ['deliveries recorded', 1],
])(
  'a process that is killed after "%s" loses nothing: another sends the rest, under the same ids',
  async (step, nth) => {
    const receiver = await startReceiver()
    const { id, agentId } = await fixture.webhook(receiver.url)
    const sent: string[] = []
    for (let count = 0; count < 60; count++) sent.push(await fixture.event(agentId))
    const child = spawn(
      process.execPath,
      [
        ...['--import', 'tsx', '--import', join(root, 'faults/child/preload.ts')],
        ...[join(import.meta.dirname, 'support/sender.ts')],
      ],
      {
        env: {
          ...process.env,
          DATABASE_URL: fixture.url,
          WALLET_MASTER_KEY: masterKey,
          FAULT_SWITCHES: JSON.stringify([{ step, nth, action: 'kill' }]),
        },
        stdio: 'ignore',
      },
    )
    const [, signal] = await once(child, 'exit')
    expect(signal).toBe('SIGKILL')
    const before = idsOf(receiver).length
    expect(before).toBeGreaterThanOrEqual(3)
    expect((await fixture.row(id)).due_at).not.toBeNull()
    fixture.work()
    await until(isStatus(id, 'delivered'))
    expect([...new Set(idsOf(receiver))].toSorted()).toEqual(sent.toSorted())
    const twice = idsOf(receiver).length - sent.length
    if (step === 'delivery sent') expect(twice).toBeGreaterThan(0)
    else expect(twice).toBe(0)
  },
)

test.each([
  ['a process without a master key', null],
  ['a process with another master key', createWalletVault('some other master key of wallets', 7)],
])('%s leaves deliveries to those that can sign, and tells an operator once', async (_, vault) => {
  const receiver = await startReceiver()
  const { id, agentId } = await fixture.webhook(receiver.url)
  await fixture.event(agentId)
  await fixture.pass(id, 60)
  const worker = fixture.work({ vault })
  await until(() => lines.length > 0)
  for (let count = 0; count < 3; count++) worker.wake()
  await fixture.stop()
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringContaining('NEEDS OPERATOR') }])
  expect(receiver.received).toEqual([])
  // It rests, or every poll of the log would wake a worker.
  expect(Number((await fixture.row(id)).due_at)).toBeGreaterThan(Date.now())
  await fixture.pass(id, 60)
  fixture.work()
  await until(isStatus(id, 'delivered'))
})

test('a webhook whose secrets were altered waits, and the others go on', async () => {
  const receiver = await startReceiver()
  const altered = await fixture.webhook(receiver.url)
  await db
    .updateTable('webhooks')
    .set({ sealed_secrets: Buffer.alloc(60) })
    .where('id', '=', altered.id)
    .execute()
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

test('deliveries that ended are deleted after the retention, pending ones never', async () => {
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
})
