import { hash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { purgeAccessTokens } from '../../../server/auth/queries.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { setRows } from '../../support/stored.ts'
import { idOf, isoTime } from '../../support/values.ts'

const market = await createTestMarket({ engines: false })

const path = '/api/agents/me/tokens'
const make = (key: string, fields: object = {}, headers: Record<string, string> = {}) =>
  market.api('POST', path, { key, body: { scope: 'work', label: 'laptop', ...fields }, headers })
const whoIs = async (key: string) => (await market.api('GET', '/api/agents/me', { key })).body.agent?.id

test.each([
  ['work', undefined, 90],
  ['work', 1, 1],
  ['read', 365, 365],
] as const)(
  '201 with a token of the scope %s for %s days, which is its agent',
  async (scope, given, days) => {
    const { id, key } = await market.register()
    const { status, body } = await make(key, { scope, ...(given && { expires_in_days: given }) })
    expect([status, body]).toEqual([
      201,
      {
        token: { id: idOf('tok_'), label: 'laptop', scope, expires_at: isoTime },
        secret: expect.stringMatching(new RegExp(`^bmt_${scope}_[0-9A-Za-z]{43}[0-9a-f]{16}$`)),
      },
    ])
    const left = (Date.parse(body.token.expires_at) - Date.now()) / 86_400_000
    expect(Math.round(left * 100)).toBe(days * 100)
    expect(await whoIs(body.secret)).toBe(id)
    const row = market.db.selectFrom('access_tokens').where('id', '=', body.token.id).selectAll()
    const { digest } = await row.executeTakeFirstOrThrow()
    expect(digest).toBe(hash('sha256', body.secret, 'base64'))
  },
)

test('201 again with the same token for the same Idempotency-Key', async () => {
  const { key } = await market.register()
  const headers = { 'idempotency-key': randomUUID() }
  const first = await make(key, {}, headers)
  const second = await make(key, {}, headers)
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  // The token may not fetch what only the key may have, though it sends the same request.
  expectError(await make(first.body.secret, {}, headers), 'scope_missing')
})

test('401 unauthorized for a token that has expired, as for any wrong key; then it is deleted', async () => {
  const { key } = await market.register()
  const { body } = await make(key)
  const { body: other } = await make(key)
  await market.db
    .updateTable('access_tokens')
    .set({ expires_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', body.token.id)
    .execute()
  const expired = await market.api('GET', path, { key: body.secret })
  const wrong = await market.api('GET', path, { key: 'x' })
  for (const refused of [expired, wrong]) expectError(refused, 'unauthorized')
  expect({ ...expired.body.error, request_id: '' }).toEqual({ ...wrong.body.error, request_id: '' })
  await purgeAccessTokens(market.db)
  const left = await market.db.selectFrom('access_tokens').where('id', '=', body.token.id).execute()
  expect(left).toEqual([])
  expect(await whoIs(other.secret)).toBeDefined()
})

test('409 token_limit_reached beyond ten, also at the same time; expired ones do not count', async () => {
  const { id, key } = await market.register()
  const made = await Promise.all(Array.from({ length: 12 }, () => make(key)))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(10)
  for (const refused of made.filter(({ status }) => status !== 201))
    expectError(refused, 'token_limit_reached')
  await setRows(market.db, 'access_tokens', { agent_id: id }, { expires_at: sql<Date>`clock_timestamp()` })
  expect((await make(key)).status).toBe(201)
})

test('409 api_key_replaced for a key that has been replaced but still works', async () => {
  const { key } = await market.register()
  const rotated = await market.api('POST', '/api/agents/me/rotate-key', { key })
  expectError(await make(key), 'api_key_replaced')
  expect((await make(rotated.body.agent.api_key)).status).toBe(201)
})

test('a rotation without an overlap ends all tokens, because others may have made them; one with an overlap none', async () => {
  const { id, key } = await market.register()
  const { secret } = (await make(key)).body
  const rotate = async (by: string, overlap_seconds: number) =>
    (await market.api('POST', '/api/agents/me/rotate-key', { key: by, body: { overlap_seconds } })).body.agent
  const { api_key } = await rotate(key, 60)
  expect(await whoIs(secret)).toBe(id)
  await rotate(api_key, 0)
  expect(await whoIs(secret)).toBeUndefined()
})
