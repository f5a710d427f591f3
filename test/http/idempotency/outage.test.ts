import { afterAll, expect, test } from 'vitest'
import { createPostgresProxy } from '../../faults/proxies/postgres.ts'
import { until } from '../../support/until.ts'
import { createScriptedOperation } from '../scripted-operation.ts'
import { serve } from '../serve.ts'

const { operations, steps, served, ask, effects } = await createScriptedOperation()
const claims = [Buffer.from('insert into "idempotency_keys"')]
const proxy = await createPostgresProxy(served.services.config.DATABASE_URL as string, claims)
const cutOff = await serve({ operations, database: { url: proxy.url, drop: async () => undefined } })
afterAll(async () => {
  await cutOff.close()
  await proxy.close()
})

/** Repeats the request until it is let in, within less time than a lease takes to end by itself. */
async function isLetIn(): Promise<void> {
  steps.push(({ effect }) => effect().then(() => undefined))
  await until(async () => (await ask()).status === 201)
  expect(await effects()).toBe(1)
}

test('a key is let go when the database is back, not when its lease ends', async () => {
  steps.push(async ({ effect }) => {
    proxy.refuse(700)
    await effect()
  })
  expect((await ask({ by: cutOff })).body.error).toMatchObject({ code: 'unavailable', retryable: true })
  await isLetIn()
})

test('a key whose claim was committed and never confirmed is let go at once', async () => {
  const isCut = proxy.cutAtCommit('after', 0)
  expect((await ask({ by: cutOff })).body.error).toMatchObject({ code: 'unavailable', retryable: true })
  expect(isCut()).toBe(true)
  await isLetIn()
})
