import { randomUUID } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '../../server/errors.ts'
import { createIdempotency } from '../../server/http/idempotency.ts'
import { agentProcedure, createRouter, operation } from '../../server/trpc.ts'
import { expectError, expectInvalid } from '../support/errors.ts'
import { type Caller, serve } from './serve.ts'

/** What the operation under test does next; each run takes one step. */
type Step = (run: {
  effect(): Promise<unknown>
  remember(): Promise<void>
  resume: unknown
}) => Promise<unknown>
const steps: Step[] = []

const work = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/work/{id}',
      resource: 'config',
      access: 'agent',
      summary: 'Work',
      description: 'Work.',
      status: 201,
    }),
  )
  .input(z.strictObject({ id: z.string(), note: z.string().optional() }))
  .output(z.object({ done: z.unknown() }))
  .mutation(async ({ ctx, input }) => {
    const step = steps.shift()
    if (!step) throw new Error('nobody expected another run')
    const { idempotent } = ctx
    const done = await step({
      resume: idempotent?.resume,
      // The effect is a row of its own each time, committed together with the answer.
      effect: () =>
        ctx.transact(async (trx) => {
          await trx
            .insertInto('service_keys')
            .values({ name: randomUUID(), value: Buffer.from(input.id) })
            .execute()
          return { done: 'yes', secret: 'not part of the answer' }
        }),
      remember: async () => idempotent?.remember(ctx.parts.db, { payout: 'p1' }),
    })
    return { done: done ?? 'yes' }
  })

const operations = createRouter({ work })
const served = await serve({ operations })
const twin = await serve({
  operations,
  database: { url: served.parts.config.DATABASE_URL ?? '', drop: async () => undefined },
})
afterAll(async () => {
  await twin.close()
  await served.close()
})

let ada: Caller
let key: string
beforeEach(async () => {
  ada = await served.agent()
  key = randomUUID()
  steps.length = 0
})

const ask = (
  options: { by?: typeof served; body?: unknown; key?: string; caller?: Caller; id?: string } = {},
) =>
  (options.by ?? served).api('POST', `/api/work/${options.id ?? ada.id}`, {
    key: (options.caller ?? ada).key,
    body: options.body,
    headers: { 'idempotency-key': options.key ?? key },
  })
const effects = async (id = ada.id) => {
  const rows = await served.db.selectFrom('service_keys').select('value').execute()
  return rows.filter(({ value }) => value.toString() === id).length
}
const expireLease = () =>
  served.db
    .updateTable('idempotency_keys')
    .set({ lease_until: sql<Date>`'-infinity'` })
    .where('scope', '=', ada.id)
    .execute()

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** A step that stops in the middle until the test lets it go on. */
function gate(before: Step = async () => undefined, after: Step = async () => undefined) {
  const { promise: reached, resolve: arrive } = deferred()
  const { promise: opened, resolve: open } = deferred()
  const step: Step = async (run) => {
    await before(run)
    arrive()
    await opened
    return after(run)
  }
  return { step, reached, open }
}

describe('the same request again', () => {
  test('201 with the first answer and Idempotency-Replayed, from any process, and the work is done once', async () => {
    steps.push(({ effect }) => effect().then(() => undefined))
    const first = await ask()
    expect(first).toMatchObject({ status: 201, body: { done: 'yes' } })
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    for (const by of [served, twin]) {
      const again = await ask({ by })
      expect(again).toMatchObject({ status: 201, body: first.body })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    }
    expect(await effects()).toBe(1)
  })

  test('201 also where the fields come in another order or spacing', async () => {
    steps.push(async () => undefined)
    await ask({ body: { note: 'a' } })
    const response = await fetch(`${served.baseUrl}/api/work/${ada.id}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada.key}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: '{ "note" : "\\u0061" }',
    })
    expect(response.headers.get('idempotency-replayed')).toBe('true')
  })

  test('50 at once, spread over two processes: one does the work, the others get 201 or 409', async () => {
    steps.push(({ effect }) => effect().then(() => undefined))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask({ by: n % 2 ? served : twin })),
    )
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 'idempotency_in_progress')
    const fresh = answers.filter(
      ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
    )
    expect(fresh).toHaveLength(1)
    expect(await effects()).toBe(1)
    expect((await ask()).body).toEqual(fresh[0]?.body)
  })

  test('without a key does the work again', async () => {
    steps.push(
      ({ effect }) => effect(),
      ({ effect }) => effect(),
    )
    for (const _ of [1, 2]) await served.api('POST', `/api/work/${ada.id}`, { key: ada.key })
    expect(await effects()).toBe(2)
  })
})

describe('422 idempotency_key_reused', () => {
  test('for another body, another path, and while the first still runs', async () => {
    const { step, reached, open } = gate()
    steps.push(step)
    const first = ask({ body: { note: 'a' } })
    await reached
    expectError(await ask({ body: { note: 'b' } }), 'idempotency_key_reused')
    open()
    await first
    expectError(await ask({ body: { note: 'b' } }), 'idempotency_key_reused')
    expectError(await ask({ body: { note: 'a' }, id: 'other' }), 'idempotency_key_reused')
    expect((await ask({ body: { note: 'a' } })).status).toBe(201)
  })

  test('but another agent may use the same key', async () => {
    steps.push(
      async () => 'ada',
      async () => 'eve',
    )
    const eve = await served.agent()
    expect((await ask()).body).toEqual({ done: 'ada' })
    expect((await ask({ caller: eve })).body).toEqual({ done: 'eve' })
  })
})

describe('409 idempotency_in_progress', () => {
  test('while the first is served by another process; afterwards its answer', async () => {
    const { step, reached, open } = gate()
    steps.push(step)
    const first = ask()
    await reached
    const second = await ask({ by: twin })
    expectError(second, 'idempotency_in_progress')
    open()
    expect((await first).status).toBe(201)
    expect((await ask({ by: twin })).headers.get('idempotency-replayed')).toBe('true')
  })

  test('for as long as it runs: the lease is renewed', async () => {
    const other = await serve({ operations, idempotencyLeaseSeconds: 1 })
    const caller = await other.agent()
    const { step, reached, open } = gate()
    steps.push(step)
    const first = ask({ by: other, caller })
    await reached
    const until = async () =>
      (await other.db.selectFrom('idempotency_keys').select('lease_until').executeTakeFirstOrThrow())
        .lease_until
    const begin = await until()
    await vi.waitFor(async () => expect((await until()).getTime()).toBeGreaterThan(begin.getTime() + 1000), {
      timeout: 10_000,
    })
    expectError(await ask({ by: other, caller }), 'idempotency_in_progress')
    open()
    expect((await first).status).toBe(201)
    await other.close()
  })
})

describe('errors', () => {
  test('a verdict is kept and repeated to the byte', async () => {
    steps.push(async () => {
      throw new ServiceError('bounty_not_open')
    })
    const first = await ask()
    expectError(first, 'bounty_not_open')
    const again = await ask()
    expect({ status: again.status, body: again.body }).toEqual({ status: 409, body: first.body })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test('a failed validation is kept too', async () => {
    expectInvalid(await ask({ body: { nte: 'a' } }), 'nte')
    expect((await ask({ body: { nte: 'a' } })).headers.get('idempotency-replayed')).toBe('true')
  })

  test.each([
    ['payout_unconfirmed', new ServiceError('payout_unconfirmed')],
    ['activation_in_progress', new ServiceError('activation_in_progress')],
    ['internal_error', new Error('a bug')],
  ])('%s lets the same key run again', async (_code, error) => {
    steps.push(
      async () => {
        throw error
      },
      async () => 'second',
    )
    expect((await ask()).status).toBeGreaterThanOrEqual(400)
    const second = await ask()
    expect({ ...second, headers: undefined }).toEqual({
      status: 201,
      body: { done: 'second' },
      headers: undefined,
    })
    expect((await ask()).headers.get('idempotency-replayed')).toBe('true')
  })

  test('401 uses no key up', async () => {
    expectError(await ask({ caller: { id: 'nobody', key: 'nobody' } }), 'unauthorized')
    steps.push(async () => undefined)
    expect((await ask()).headers.get('idempotency-replayed')).toBeNull()
  })
})

describe('a crash', () => {
  test('after the effect was committed: the answer is there already', async () => {
    const { step, reached, open } = gate(({ effect }) => effect())
    steps.push(step)
    const died = ask()
    await reached
    const again = await ask({ by: twin })
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: { done: 'yes' } })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await effects()).toBe(1)
    open()
    await died
  })

  test('before the effect: the next request does it, and one that only seemed dead cannot do it twice', async () => {
    const { step, reached, open } = gate(undefined, ({ effect }) => effect().then(() => 'late'))
    steps.push(step, ({ effect }) => effect().then(() => undefined))
    const silent = ask()
    await reached
    await expireLease()
    expect((await ask({ by: twin })).status).toBe(201)
    open()
    expectError(await silent, 'idempotency_in_progress')
    expect(await effects()).toBe(1)
    expect((await ask()).body).toEqual({ done: 'yes' })
  })

  test('that was none: the run that fell silent cannot finish while its successor is at work', async () => {
    const silent = gate(undefined, ({ effect }) => effect().then(() => 'late'))
    const successor = gate(undefined, ({ effect }) => effect().then(() => undefined))
    steps.push(silent.step, successor.step)
    const first = ask()
    await silent.reached
    await expireLease()
    const second = ask({ by: twin })
    await successor.reached
    silent.open()
    expectError(await first, 'idempotency_in_progress')
    expect(await effects()).toBe(0)
    successor.open()
    expect(await second).toMatchObject({ status: 201, body: { done: 'yes' } })
    expect(await effects()).toBe(1)
  })

  test('in the middle of long work: the next request is told how to find it', async () => {
    const { step, reached, open } = gate(({ remember }) => remember())
    steps.push(step, async ({ resume }) => resume)
    const died = ask()
    await reached
    await expireLease()
    expect((await ask({ by: twin })).body).toEqual({ done: { payout: 'p1' } })
    open()
    await died
    expect((await ask()).body).toEqual({ done: { payout: 'p1' } })
  })

  test('a retryable answer after the work began leaves the trace as well', async () => {
    steps.push(
      async ({ remember }) => {
        await remember()
        throw new ServiceError('payout_unconfirmed')
      },
      async ({ resume }) => resume,
    )
    expectError(await ask(), 'payout_unconfirmed')
    expect((await ask()).body).toEqual({ done: { payout: 'p1' } })
  })

  test('of one of two that would take a dead run over: the other gets 409', async () => {
    const dead = gate()
    const taker = gate()
    steps.push(dead.step, taker.step)
    const died = ask()
    await dead.reached
    await expireLease()
    const answers = Promise.all([ask({ by: twin }), ask(), ask({ by: twin })])
    await taker.reached
    taker.open()
    const statuses = (await answers).map(({ status }) => status).sort()
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(1)
    expect(steps).toEqual([])
    dead.open()
    await died
  })
})

describe('400 idempotency_key_invalid', () => {
  test.each([
    ['empty', ''],
    ['with a space inside', 'a b'],
    ['with a letter beyond ASCII', 'ü'],
    ['256 characters long', 'x'.repeat(256)],
  ])('for a key that is %s', async (_name, value) => {
    expectError(await ask({ key: value }), 'idempotency_key_invalid')
  })

  test('not for 255 characters, nor for one', async () => {
    steps.push(
      async () => undefined,
      async () => undefined,
    )
    for (const value of ['~'.repeat(255), '!']) expect((await ask({ key: value })).status).toBe(201)
  })
})

describe('what is stored', () => {
  test('neither the key nor the answer can be read from the database', async () => {
    steps.push(async () => 'a secret answer')
    await ask()
    const { rows } = await served.db.executeQuery<{ dump: string }>(
      CompiledQuery.raw(`select t::text as dump from idempotency_keys t where scope = $1`, [ada.id]),
    )
    expect(rows).toHaveLength(1)
    const hex = (text: string) => Buffer.from(text).toString('hex')
    for (const secret of [key, 'a secret answer', hex(key), hex('a secret answer')])
      expect(rows[0]?.dump).not.toContain(secret)
  })

  test('is kept for 24 hours and then purged', async () => {
    steps.push(
      async () => 'old',
      async () => 'young',
    )
    await ask()
    await served.db
      .updateTable('idempotency_keys')
      .set({
        created_at: sql<Date>`now() - interval '24 hours 1 second'`,
        lease_until: sql<Date>`'-infinity'`,
      })
      .where('scope', '=', ada.id)
      .execute()
    const young = await served.agent()
    await ask({ caller: young })
    await served.db
      .updateTable('idempotency_keys')
      .set({
        created_at: sql<Date>`now() - interval '23 hours 59 minutes'`,
        lease_until: sql<Date>`'-infinity'`,
      })
      .where('scope', '=', young.id)
      .execute()
    await createIdempotency(served.db).purge()
    const scopes = (await served.db.selectFrom('idempotency_keys').select('scope').execute()).map(
      ({ scope }) => scope,
    )
    expect(scopes).toContain(young.id)
    expect(scopes).not.toContain(ada.id)
  })
})
