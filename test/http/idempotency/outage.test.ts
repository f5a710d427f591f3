import { expect, test } from 'vitest'
import { createPostgresProxy } from '../../faults/proxies/postgres.ts'
import { afterFile } from '../../support/leaks/closing.ts'
import { createScriptedOperation } from '../scripted-operation.ts'
import { serve } from '../serve.ts'

const { operations, steps, served, ask, effects } = await createScriptedOperation()
const proxy = await createPostgresProxy(served.services.config.DATABASE_URL as string)
afterFile(proxy.close)
const cutOff = await serve({ operations, database: proxy })

test('503 unavailable while the database is away, and the same request does the work afterwards', async () => {
  steps.push(
    async ({ effect }) => {
      proxy.refuse(60_000)
      await effect()
    },
    ({ effect }) => effect().then(() => undefined),
  )
  expect((await ask({ by: cutOff })).body.error).toMatchObject({ code: 'unavailable', retryable: true })
  proxy.accept()
  expect((await ask({ by: cutOff })).status).toBe(201)
  expect(await effects()).toBe(1)
})

test('201 for work that was committed and never confirmed, which the same request finds', async () => {
  steps.push(({ effect }) => effect().then(() => undefined))
  const isCut = proxy.cutAtCommit('after', 0)
  const first = await ask({ by: cutOff })
  expect(isCut()).toBe(true)
  expect([201, 503]).toContain(first.status)
  expect(await ask()).toMatchObject({ status: 201, body: { done: 'yes' } })
  expect(await effects()).toBe(1)
})
