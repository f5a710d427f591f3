import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../server/errors.ts'
import { expectError } from '../../support/errors.ts'
import { createScriptedOperation, gate } from '../scripted-operation.ts'

const { steps, twin, ask, effects, expireLease } = await createScriptedOperation()

describe('a crash', () => {
  test('after the effect was committed: the response is stored already', async () => {
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

  test('in the middle of long work: the next request learns how to find it', async () => {
    const { step, reached, open } = gate(({ storeResume }) => storeResume())
    steps.push(step, async ({ resume }) => resume)
    const died = ask()
    await reached
    await expireLease()
    expect((await ask({ by: twin })).body).toEqual({ done: { payout: 'p1' } })
    open()
    await died
    expect((await ask()).body).toEqual({ done: { payout: 'p1' } })
  })

  test('a retryable error after the work began keeps the stored resume as well', async () => {
    steps.push(
      async ({ storeResume }) => {
        await storeResume()
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
