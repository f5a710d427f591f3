import { CompiledQuery, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../server/errors.ts'
import { createIdempotency } from '../../../server/http/idempotency/idempotency.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { until } from '../../support/until.ts'
import { createScriptedOperation, gate } from '../scripted-operation.ts'
import { serve } from '../serve.ts'

const { operations, steps, served, twin, now, ask, effects } = await createScriptedOperation()

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
    for (const _ of [1, 2]) await served.api('POST', `/api/work/${now.ada.id}`, { key: now.ada.key })
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
  test('while another process serves the first; afterwards its response', async () => {
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
    const other = await serve({ operations, idempotencyLeaseSeconds: 6 })
    const caller = await other.agent()
    const { step, reached, open } = gate()
    steps.push(step)
    const first = ask({ by: other, caller })
    await reached
    const leaseUntil = async () =>
      (
        await other.db.selectFrom('idempotency_keys').select('lease_until').executeTakeFirstOrThrow()
      ).lease_until.getTime()
    const begin = await leaseUntil()
    await until(async () => (await leaseUntil()) > begin + 1000)
    expectError(await ask({ by: other, caller }), 'idempotency_in_progress')
    open()
    expect((await first).status).toBe(201)
    await other.close()
  })
})

describe('errors', () => {
  test('a failed validation uses no key up: 201 for a valid body under the same key', async () => {
    expectInvalid(await ask({ body: { nte: 'a' } }), 'nte')
    expectInvalid(await ask({ body: { nte: 'a' } }), 'nte')
    steps.push(async () => 'valid')
    expect(await ask({ body: { note: 'a' } })).toMatchObject({ status: 201, body: { done: 'valid' } })
  })

  test('409 idempotency_in_progress for a refused request that runs again', async () => {
    const { step, reached, open } = gate()
    steps.push(async () => {
      throw new ServiceError('webhook_disabled')
    }, step)
    expectError(await ask(), 'webhook_disabled')
    const second = ask({ by: twin })
    await reached
    expectError(await ask(), 'idempotency_in_progress')
    open()
    expect((await second).status).toBe(201)
  })

  test('422 idempotency_key_reused for another body while work that has begun goes on', async () => {
    steps.push(
      async ({ storeResume }) => {
        await storeResume()
        throw new ServiceError('payout_unconfirmed')
      },
      async ({ resume }) => ({ resume }),
    )
    expectError(await ask({ body: { note: 'a' } }), 'payout_unconfirmed')
    expectError(await ask({ body: { note: 'b' } }), 'idempotency_key_reused')
    expect((await ask({ body: { note: 'a' } })).body.done.resume).not.toBeNull()
  })

  test('201 for another body after a refusal that had stored a resume, which it does not get', async () => {
    steps.push(
      async ({ storeResume }) => {
        await storeResume()
        throw new ServiceError('insufficient_funds')
      },
      async ({ resume }) => ({ resume }),
    )
    expectError(await ask({ body: { note: 'a' } }), 'insufficient_funds')
    expect((await ask({ body: { note: 'b' } })).body).toEqual({ done: { resume: null } })
    expectError(await ask({ body: { note: 'a' } }), 'idempotency_key_reused')
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
      .set({ expires_at: sql<Date>`expires_at - ${interval}::interval`, lease_until: sql<Date>`'-infinity'` })
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
