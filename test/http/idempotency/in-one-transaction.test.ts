import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../server/errors.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createScriptedOperation, gate, type Step } from '../scripted-operation.ts'

/* Operations that are one short transaction: their key is stored in it, and not acquired before. */
const { steps, served, twin, now, ask, effects } = await createScriptedOperation({ atomicIdempotency: true })

type SqlTime = ReturnType<typeof sql>

const once: Step = ({ effect }) => effect().then(() => undefined)
const isReplayed = ({ headers }: { headers: Headers }) => headers.has('idempotency-replayed')
const keys = () =>
  served.db.selectFrom('idempotency_keys').selectAll().where('scope', '=', now.ada.id).execute()

describe('the same request again', () => {
  test('201 with the first response and Idempotency-Replayed, from any process, and the work is rolled back', async () => {
    steps.push(once, once, once)
    const first = await ask()
    expect(first).toMatchObject({ status: 201, body: { done: 'yes' } })
    expect(isReplayed(first)).toBe(false)
    for (const by of [served, twin]) {
      const again = await ask({ by })
      expect(again).toMatchObject({ status: 201, body: first.body })
      expect(isReplayed(again)).toBe(true)
    }
    expect(await effects()).toBe(1)
  })

  test('50 at once, spread over two processes: one does the work and all get its response', async () => {
    steps.push(...Array.from({ length: 50 }, () => once))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask({ by: n % 2 ? served : twin })),
    )
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: { done: 'yes' } })
    expect(answers.filter((answer) => !isReplayed(answer))).toHaveLength(1)
    expect(await effects()).toBe(1)
  })

  test('201 with the response of the faster request, even if another began before it', async () => {
    const slow = gate()
    steps.push((run) => run.effect(() => slow.step(run)).then(() => 'slow'), once)
    const first = ask()
    await slow.reached
    const second = await ask({ by: twin })
    expect(second).toMatchObject({ status: 201, body: { done: 'yes' } })
    slow.open()
    const late = await first
    expect(late).toMatchObject({ status: 201, body: { done: 'yes' } })
    expect([second, late].map(isReplayed)).toEqual([false, true])
    expect(await effects()).toBe(1)
  })

  test('201 with the first response, even if the work is no longer possible', async () => {
    steps.push(once, async () => {
      throw new ServiceError('bounty_not_open')
    })
    const first = await ask()
    expect(await ask()).toMatchObject({ status: 201, body: first.body })
  })

  test('201 if the work was committed and then something failed, which is logged', async () => {
    steps.push(async ({ effect }) => {
      await effect()
      throw new Error('the connection is gone')
    })
    expect(await ask()).toMatchObject({ status: 201, body: { done: 'yes' } })
    expect(await effects()).toBe(1)
    expect(served.lines.join('\n')).toContain('the connection is gone')
  })

  test('422 idempotency_key_reused for another body, whose work is not done', async () => {
    steps.push(once, once)
    await ask({ body: { note: 'a' } })
    expectError(await ask({ body: { note: 'b' } }), 'idempotency_key_reused')
    expect(await effects()).toBe(1)
  })
})

describe('a crash', () => {
  test('before the commit leaves nothing: the next request does it at once', async () => {
    steps.push(
      ({ effect }) => effect((trx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)),
      once,
    )
    const { status } = await ask()
    expect(status).toBeGreaterThanOrEqual(500)
    expect(await keys()).toEqual([])
    const second = await ask({ by: twin })
    expect(second.status).toBe(201)
    expect(isReplayed(second)).toBe(false)
    expect(await effects()).toBe(1)
  })
})

describe('errors', () => {
  test('a failed validation uses no key up: 201 for a valid body under the same key', async () => {
    expectInvalid(await ask({ body: { nte: 'a' } }), 'nte')
    expect(await keys()).toEqual([])
    steps.push(once)
    expect((await ask({ body: { note: 'a' } })).status).toBe(201)
  })

  test.each([
    ['wallet_generation_unavailable', new ServiceError('wallet_generation_unavailable')],
    ['internal_error', new Error('a bug')],
    ['bounty_not_open', new ServiceError('bounty_not_open')],
  ])('%s lets the same key run again', async (code, error) => {
    steps.push(async () => {
      throw error
    }, once)
    expect((await ask()).body.error.code).toBe(code)
    expect(await keys()).toEqual([])
    expect((await ask()).status).toBe(201)
    expect(await effects()).toBe(1)
  })
})

test('201 with the first response for 24 hours; afterwards the work is done again', async () => {
  const laterBy = (interval: string) =>
    sql`update idempotency_keys set expires_at = expires_at - ${interval}::interval where scope = ${now.ada.id}`.execute(
      served.db,
    )
  steps.push(once, once, once, once)
  await ask()
  await laterBy('23 hours 59 minutes')
  expect(isReplayed(await ask())).toBe(true)
  expect(await effects()).toBe(1)
  await laterBy('1 minute 1 second')
  expect(isReplayed(await ask())).toBe(false)
  expect(await effects()).toBe(2)
})

describe('a key that an earlier version has acquired', () => {
  /** Makes the key look as if an earlier version had acquired it and not responded yet. */
  const acquire = (until: SqlTime) =>
    sql`update idempotency_keys set lease_owner = 'another', lease_until = ${until}, response_status = null,
      response_body = null where scope = ${now.ada.id}`.execute(served.db)

  test('409 idempotency_in_progress while that version works', async () => {
    steps.push(once, once)
    await ask()
    await acquire(sql`now() + interval '30 s'`)
    expectError(await ask(), 'idempotency_in_progress')
    expect(await effects()).toBe(1)
  })

  test('201 for another body once its lease has ended', async () => {
    steps.push(once, once, once)
    await ask({ body: { note: 'a' } })
    await acquire(sql`'-infinity'`)
    expect((await ask({ body: { note: 'b' } })).status).toBe(201)
    expectError(await ask({ body: { note: 'a' } }), 'idempotency_key_reused')
  })

  test('201 by a new run once its lease has ended', async () => {
    steps.push(once, once, once)
    await ask()
    await acquire(sql`'-infinity'`)
    expect(await ask()).toMatchObject({ status: 201, body: { done: 'yes' } })
    expect(await effects()).toBe(2)
    expect(isReplayed(await ask())).toBe(true)
    expect(await effects()).toBe(2)
  })
})

test('500 internal_error for an atomic operation that responds without ctx.transact', async () => {
  steps.push(async () => 'nothing')
  expectError(await ask(), 'internal_error')
})
