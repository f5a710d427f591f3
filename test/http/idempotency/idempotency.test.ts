import { CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../server/errors.ts'
import { listOperations, type Operation } from '../../../server/http/adapter/operations.ts'
import { createIdempotency } from '../../../server/http/idempotency/idempotency.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createScriptedOperation, gate, type Step } from '../scripted-operation.ts'

const { operations, steps, served, twin, now, ask, effects } = await createScriptedOperation()
const strict = await createScriptedOperation({ repeatable: false })

const once: Step = ({ effect }) => effect().then(() => undefined)
const isReplayed = ({ headers }: { headers: Headers }) => headers.has('idempotency-replayed')
const keys = () =>
  served.db.selectFrom('idempotency_keys').selectAll().where('scope', '=', now.ada.id).execute()

describe('the same request again', () => {
  test('201 with the first response and Idempotency-Replayed, from any process, and the work is done once', async () => {
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

  test('201 also for fields in another order or spacing', async () => {
    steps.push(async () => undefined)
    await ask({ body: { note: 'a' } })
    const response = await fetch(`${served.baseUrl}/api/work/${now.ada.id}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${now.ada.key}`,
        'content-type': 'application/json',
        'idempotency-key': now.key,
      },
      body: '{ "note" : "\\u0061" }',
    })
    expect(response.headers.get('idempotency-replayed')).toBe('true')
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

  test('201 with the response of the faster request, which has left the slower one nothing to do', async () => {
    const slow = gate(undefined, async () => {
      throw new ServiceError('bounty_not_open')
    })
    steps.push(slow.step, once)
    const late = ask()
    await slow.reached
    const first = await ask({ by: twin })
    slow.open()
    expect(await late).toMatchObject({ status: 201, body: first.body })
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

  test('201 before the first request has its response, once its work is committed', async () => {
    const { step, reached, open } = gate(({ effect }) => effect())
    steps.push(step)
    const first = ask()
    await reached
    const again = await ask({ by: twin })
    expect(again).toMatchObject({ status: 201, body: { done: 'yes' } })
    expect(isReplayed(again)).toBe(true)
    open()
    await first
    expect(await effects()).toBe(1)
  })

  test('without a key does the work again', async () => {
    steps.push(
      ({ effect }) => effect(),
      ({ effect }) => effect(),
    )
    for (const _ of [1, 2]) await served.api('POST', `/api/work/${now.ada.id}`, { key: now.ada.key })
    expect(await effects()).toBe(2)
  })
})

describe('422 idempotency_key_reused', () => {
  test('for another body and another path, whose work is not done', async () => {
    steps.push(once, once)
    await ask({ body: { note: 'a' } })
    expectError(await ask({ body: { note: 'b' } }), 'idempotency_key_reused')
    expectError(await ask({ body: { note: 'a' }, id: 'other' }), 'idempotency_key_reused')
    expect((await ask({ body: { note: 'a' } })).status).toBe(201)
    expect(await effects()).toBe(1)
  })

  test('for another body that was faster, and the work of the slower one is rolled back', async () => {
    const slow = gate()
    steps.push((run) => run.effect(() => slow.step(run)), once)
    const late = ask({ body: { note: 'a' } })
    await slow.reached
    expect((await ask({ by: twin, body: { note: 'b' } })).status).toBe(201)
    slow.open()
    expectError(await late, 'idempotency_key_reused')
    expect(await effects()).toBe(1)
  })

  test('for another body while work that has begun goes on', async () => {
    steps.push(begin, async ({ resume }) => ({ resume }))
    expectError(await ask({ body: { note: 'a' } }), 'payout_unconfirmed')
    expectError(await ask({ body: { note: 'b' } }), 'idempotency_key_reused')
    expect((await ask({ body: { note: 'a' } })).body.done.resume).toEqual({ payout: 'p1' })
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

/** Begins work that goes on when the request is over. */
const begin: Step = async ({ storeResume }) => {
  await storeResume()
  throw new ServiceError('payout_unconfirmed')
}

describe('work that goes on when the request is over', () => {
  test('is found again by every repeated request, which responds with what is true by then', async () => {
    steps.push(
      begin,
      async ({ resume }) => resume,
      async () => 'later',
    )
    expectError(await ask(), 'payout_unconfirmed')
    const second = await ask({ by: twin })
    expect(second.body).toEqual({ done: { payout: 'p1' } })
    expect(isReplayed(second)).toBe(true)
    expect((await ask()).body).toEqual({ done: 'later' })
  })

  test('409 idempotency_in_progress while an earlier request with the key waits for it', async () => {
    const refused: Step = async () => {
      throw new ServiceError('approval_in_progress')
    }
    steps.push(begin, refused)
    await ask()
    expectError(await ask(), 'idempotency_in_progress')
  })

  test('is not marked as replayed where it has begun anew', async () => {
    steps.push(begin, async ({ storeResume }) => {
      await storeResume()
      return 'anew'
    })
    await ask()
    const again = await ask()
    expect(again.body).toEqual({ done: 'anew' })
    expect(isReplayed(again)).toBe(false)
  })

  test('is joined by a request that was refused because of it, and that had looked up its key before', async () => {
    const late = gate(undefined, async () => {
      throw new ServiceError('bounty_not_in_review')
    })
    steps.push(late.step, begin, async ({ resume }) => resume)
    const second = ask()
    await late.reached
    expectError(await ask({ by: twin }), 'payout_unconfirmed')
    late.open()
    expect((await second).body).toEqual({ done: { payout: 'p1' } })
  })

  test('409 approval_in_progress while a request with another key waits for it', async () => {
    steps.push(async () => {
      throw new ServiceError('approval_in_progress')
    })
    expectError(await ask(), 'approval_in_progress')
    expect(await keys()).toEqual([])
  })
})

test('a transaction that runs again after a conflict stores the key again', async () => {
  let runs = 0
  steps.push(({ effect, storeResume }) =>
    effect(async (trx) => {
      await storeResume(trx)
      if (++runs === 1) await sql`do $$ begin raise exception sqlstate '40001'; end $$`.execute(trx)
    }),
  )
  expect((await ask()).status).toBe(201)
  expect(runs).toBe(2)
  expect(await keys()).toMatchObject([{ resume: { payout: 'p1' }, response_status: null }])
  expect(await effects()).toBe(1)
})

test('a crash before the commit leaves nothing: the next request does the work at once', async () => {
  steps.push(
    ({ effect }) => effect((trx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)),
    once,
  )
  expect((await ask()).status).toBeGreaterThanOrEqual(500)
  expect(await keys()).toEqual([])
  const second = await ask({ by: twin })
  expect(second.status).toBe(201)
  expect(isReplayed(second)).toBe(false)
  expect(await effects()).toBe(1)
})

describe('errors', () => {
  test('a failed validation uses no key up: 201 for a valid body under the same key', async () => {
    expectInvalid(await ask({ body: { nte: 'a' } }), 'nte')
    expectInvalid(await ask({ body: { nte: 'a' } }), 'nte')
    steps.push(async () => 'valid')
    expect(await ask({ body: { note: 'a' } })).toMatchObject({ status: 201, body: { done: 'valid' } })
  })

  test.each([
    ['payout_unconfirmed', new ServiceError('payout_unconfirmed')],
    ['activation_in_progress', new ServiceError('activation_in_progress')],
    ['internal_error', new Error('a bug')],
    ['wallet_generation_unavailable', new ServiceError('wallet_generation_unavailable')],
    ['webhook_disabled', new ServiceError('webhook_disabled')],
    ['insufficient_funds', new ServiceError('insufficient_funds')],
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

describe('the stored row', () => {
  test('neither the key nor the response can be read from the database', async () => {
    steps.push(async () => 'a secret answer')
    await ask()
    const { rows } = await served.db.executeQuery<{ dump: string }>(
      CompiledQuery.raw(`select t::text as dump from idempotency_keys t where scope = $1`, [now.ada.id]),
    )
    expect(rows).toHaveLength(1)
    const hex = (text: string) => Buffer.from(text).toString('hex')
    for (const secret of [now.key, 'a secret answer', hex(now.key), hex('a secret answer')])
      expect(rows[0]?.dump).not.toContain(secret)
  })

  const laterBy = async (interval: string, caller = now.ada) => {
    await served.db
      .updateTable('idempotency_keys')
      .set({ expires_at: sql<Date>`expires_at - ${interval}::interval` })
      .where('scope', '=', caller.id)
      .execute()
  }

  test('201 with the first response for 24 hours; afterwards the work is done again, purged or not', async () => {
    steps.push(
      async () => 'old',
      async () => 'new',
    )
    await ask()
    await laterBy('23 hours 59 minutes')
    expect((await ask()).body).toEqual({ done: 'old' })
    await laterBy('1 minute 1 second')
    expect((await ask({ by: twin })).body).toEqual({ done: 'new' })
    expect((await ask()).headers.get('idempotency-replayed')).toBe('true')
  })

  test('201 with the response for 24 hours from the run that had it, not from an earlier refusal', async () => {
    steps.push(
      async () => {
        throw new ServiceError('webhook_disabled')
      },
      async () => 'old',
    )
    await ask()
    await laterBy('23 hours')
    await ask()
    await laterBy('23 hours 59 minutes')
    expect((await ask()).body).toEqual({ done: 'old' })
  })

  test('is purged after 24 hours', async () => {
    steps.push(
      async () => 'old',
      async () => 'young',
    )
    const young = await served.agent()
    await ask()
    await ask({ caller: young })
    await laterBy('24 hours 1 second')
    await laterBy('23 hours 59 minutes', young)
    await createIdempotency(served.db).purge()
    const rows = await served.db.selectFrom('idempotency_keys').select('scope').execute()
    const scopes = rows.map(({ scope }) => scope)
    expect(scopes).toContain(young.id)
    expect(scopes).not.toContain(now.ada.id)
  })
})

test('500 internal_error for work without a transaction that may not be done again', async () => {
  strict.steps.push(async () => 'nothing')
  expectError(await strict.ask(), 'internal_error')
})

test('401 unauthorized for a key that has ended, where the stored response has expired since it was let in', async () => {
  const [operation] = listOperations(operations)
  const agent = { id: now.ada.id, key_ended: true }
  const request = { agent, headers: { 'idempotency-key': now.key }, params: {}, body: {} }
  const run = createIdempotency(served.db).run(operation as Operation, request as never, async () => {
    throw new Error('the work was done')
  })
  await expect(run).rejects.toMatchObject({ code: 'unauthorized' })
})
