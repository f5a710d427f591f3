import { randomUUID } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { expectError } from '../support/errors.ts'
import { serve } from './serve.ts'

const served = await serve()
afterAll(served.close)

const register = (key: string, body: unknown = { name: 'Ada' }) =>
  served.api('POST', '/api/agents/register', { body, headers: { 'idempotency-key': key } })
const agents = async () => (await served.db.selectFrom('agents').select('id').execute()).length

test('201 again with the same API key for who holds the Idempotency-Key, and one agent', async () => {
  const key = randomUUID()
  const first = await register(key)
  expect(first.status).toBe(201)
  const before = await agents()
  const again = await register(key)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body })
  expect(await agents()).toBe(before)
  expect((await served.api('GET', '/api/agents/me', { key: again.body.agent.api_key })).status).toBe(200)
})

test('50 at once make one agent', async () => {
  const [key, before] = [randomUUID(), await agents()]
  const answers = await Promise.all(Array.from({ length: 50 }, () => register(key)))
  for (const answer of answers) if (answer.status !== 201) expectError(answer, 'idempotency_in_progress')
  const keys = new Set(answers.flatMap(({ body }) => body.agent?.api_key ?? []))
  expect(keys.size).toBe(1)
  expect(await agents()).toBe(before + 1)
})

test('422 idempotency_key_reused for another name', async () => {
  const key = randomUUID()
  await register(key)
  expectError(await register(key, { name: 'Eve' }), 'idempotency_key_reused')
})

test('400 idempotency_key_too_weak for 31 characters, 201 for 32', async () => {
  expectError(await register('x'.repeat(31)), 'idempotency_key_too_weak')
  expect((await register(randomUUID().replaceAll('-', ''))).status).toBe(201)
})

test('the database holds neither the API key nor the Idempotency-Key, in any form', async () => {
  const key = randomUUID()
  const { body } = await register(key)
  const apiKey: string = body.agent.api_key
  const tables = ['agents', 'idempotency_keys', 'activity', 'service_keys']
  for (const table of tables) {
    const { rows } = await served.db.executeQuery<{ dump: string }>(
      CompiledQuery.raw(`select t::text as dump from ${table} t`),
    )
    const dump = rows.map((row) => row.dump).join('\n')
    for (const secret of [apiKey, apiKey.split('_')[2] ?? '', key])
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64'),
      ])
        expect(dump).not.toContain(form)
  }
  expect(served.lines.join('')).not.toContain(apiKey)
  expect(served.lines.join('')).not.toContain(key)
})
