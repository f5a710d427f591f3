import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { digestOfKey } from '../../../server/crypto/sealed-response.ts'
import { expectError } from '../../support/errors.ts'
import { serve } from '../serve.ts'

const served = await serve()

const register = (key: string, body: unknown = { name: 'Ada' }) =>
  served.api('POST', '/api/agents/register', { body, headers: { 'idempotency-key': key } })
const agents = async () => (await served.db.selectFrom('agents').select('id').execute()).length

test('50 at once make one agent', async () => {
  const key = randomUUID()
  const before = await agents()
  const answers = await Promise.all(Array.from({ length: 50 }, () => register(key)))
  for (const answer of answers) expect(answer.status).toBe(201)
  const keys = new Set(answers.map(({ body }) => body.agent.api_key))
  expect(keys.size).toBe(1)
  expect(await agents()).toBe(before + 1)
})

test('201 for a key of 32 characters', async () => {
  expect((await register(randomUUID().replaceAll('-', ''))).status).toBe(201)
})

test.each([
  ['the UUID of everybody’s examples', '550e8400-e29b-41d4-a716-446655440000'],
  ['the same in upper case', '550E8400-E29B-41D4-A716-446655440000'],
  ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
  ['one character', 'a'.repeat(40)],
  ['hex digits in their order', '0123456789abcdef0123456789abcdef'],
])('400 idempotency_key_too_weak for %s, which others send as well', async (_, key) => {
  expectError(await register(key), 'idempotency_key_too_weak')
})

/** Makes the row of `key` older. */
async function laterBy(interval: string, key: string) {
  const { numUpdatedRows } = await served.db
    .updateTable('idempotency_keys')
    .set({ expires_at: sql<Date>`expires_at - ${interval}::interval` })
    .where('key_digest', '=', digestOfKey('register', key))
    .executeTakeFirstOrThrow()
  expect(numUpdatedRows).toBe(1n)
}

test('a response with an API key is stored for one hour; afterwards the key registers another agent', async () => {
  const key = randomUUID()
  const first = await register(key)
  await laterBy('59 minutes 30 seconds', key)
  const again = await register(key)
  expect(again.body).toEqual(first.body)
  await laterBy('31 seconds', key)
  const other = await register(key)
  expect(other.status).toBe(201)
  expect(other.headers.get('idempotency-replayed')).toBeNull()
  expect(other.body.agent.id).not.toBe(first.body.agent.id)
  expect((await register(key)).body).toEqual(other.body)
})

test('400 idempotency_key_invalid for the key that documents once printed as an example', async () => {
  const printed = '5d1c9a52-8d0b-4f0e-9a54-3f6b2c7d1e90'
  const ada = await served.agent()
  for (const key of [printed, printed.toUpperCase()]) {
    expectError(await register(key), 'idempotency_key_invalid')
    const body = { name: 'P', description: 'D', token_symbol: 'T', token_supply: 1 }
    const headers = { 'idempotency-key': key }
    const created = await served.api('POST', '/api/projects', { key: ada.key, body, headers })
    expectError(created, 'idempotency_key_invalid')
  }
})
