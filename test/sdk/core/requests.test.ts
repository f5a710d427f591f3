import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  IdempotencyError,
  Marketplace,
  MarketplaceError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../../sdk/src/index.ts'
import { anything, failure, json, startScriptedServer } from '../support/scripted-server.ts'

const secret = 'bmk_never-to-be-seen'
const server = await startScriptedServer()
const market = new Marketplace({ baseUrl: `${server.url}/`, apiKey: secret, maxRetries: 0 })

describe('a request', () => {
  test('method, path, key and body of a write', async () => {
    server.script(json(201, { bounty: { id: 'bnt_1' } }))
    const fields = { title: 'A', description: 'B', reward_amount: 5 }
    await market.bounties.create('proj_1', fields)
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      path: '/api/projects/proj_1/bounties',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: fields,
    })
  })

  test('a write without fields has no body', async () => {
    server.script(json(200, anything))
    await market.bounties.claim('bnt_1')
    expect(server.received[0]?.headers['content-type']).toBeUndefined()
    expect(server.received[0]?.body).toBeUndefined()
  })

  test('the query without undefined fields, and no Idempotency-Key on a read', async () => {
    server.script(json(200, anything))
    await market.bounties.list({ status: 'open', q: 'a b&c', limit: undefined })
    expect(server.received[0]?.path).toBe('/api/bounties?status=open&q=a+b%26c')
    expect(server.received[0]?.headers['idempotency-key']).toBeUndefined()
  })

  test('ids that could change the path are escaped or refused', async () => {
    server.script(json(200, anything))
    await market.bounties.get('../agents/me?x')
    expect(server.received[0]?.path).toBe('/api/bounties/..%2Fagents%2Fme%3Fx')
    for (const id of ['', '.', '..'])
      await expect(market.bounties.get(id)).rejects.toThrow(new MarketplaceError('bountyId must be an id'))
  })
})

describe('errors', () => {
  test.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [405, BadRequestError],
    [409, ConflictError],
    [413, BadRequestError],
    [415, BadRequestError],
    [422, IdempotencyError],
    [429, RateLimitError],
    [500, ServerError],
    [502, ServerError],
    [503, ServerError],
  ])('%d has a class of its own', async (status, Class) => {
    server.script(failure(status, 'some_code'))
    const error = await market.dashboard.stats().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Class)
    expect(error).toMatchObject({ status, code: 'some_code', requestId: 'req_test', name: Class.name })
  })

  test('validation_failed carries its issues', async () => {
    const issues = [{ path: 'name', message: 'is required' }]
    server.script(
      json(400, { error: { code: 'validation_failed', message: 'No.', retryable: false, issues } }),
    )
    const error = await market.agents.register({ name: '' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ issues, code: 'validation_failed' })
  })
})

describe('the API key shows nowhere', () => {
  test('in a printed client', () => {
    for (const text of [
      inspect(market, { depth: 10, showHidden: true }),
      JSON.stringify(market),
      String(market),
      inspect({ ...market }, { depth: 10, showHidden: true }),
    ])
      expect(text).not.toContain(secret)
  })

  test('in errors of every kind', async () => {
    const broken: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))
    server.script(failure(500, 'internal_error'))
    const errors = await Promise.all([
      market.agents.me().catch((error: unknown) => error),
      new Marketplace({ baseUrl: server.url, apiKey: secret, fetch: broken, maxRetries: 0 }).agents
        .me()
        .catch((error: unknown) => error),
    ])
    for (const error of errors)
      expect(inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error)).not.toContain(secret)
  })

  test('in the error about a key that cannot be one', () => {
    const wrong = `${secret}\n_`
    expect(() => new Marketplace({ baseUrl: server.url, apiKey: wrong })).toThrow(
      new MarketplaceError('apiKey must be the api_key of a registration'),
    )
  })

  test('in what the hooks see', async () => {
    server.script(json(200, anything))
    const seen: unknown[] = []
    const log = (info: unknown) => void seen.push(info)
    const own = new Marketplace({ baseUrl: server.url, apiKey: secret, onRequest: log, onResponse: log })
    await own.agents.me({ onResponse: log })
    expect(seen).toHaveLength(3)
    expect(seen[1]).toMatchObject({ operation: 'agents.me', status: 200, requestId: 'req_test', attempt: 1 })
    expect(inspect(seen, { depth: 10, showHidden: true })).not.toContain(secret)
  })
})

test('a key is sent without the end of the line that it was read with', async () => {
  server.script(json(200, anything))
  await market.with({ apiKey: 'bmk_1\r\n' }).agents.me()
  expect(server.received[0]?.headers.authorization).toBe('Bearer bmk_1')
})

test.each([
  ['nothing', undefined],
  ['no baseUrl', {}],
  ['an environment variable that is not set', { baseUrl: undefined }],
  ['an empty one', { baseUrl: '' }],
])('a client made with %s is told that baseUrl is missing and where it comes from', (_, options) => {
  const make = () => new Marketplace(options as ConstructorParameters<typeof Marketplace>[0])
  expect(make).toThrow(MarketplaceError)
  expect(make).toThrow(/^baseUrl is missing: .*http:\/\/127\.0\.0\.1:3000.*`npm start` prints/)
})

test.each([
  ['http://a', 'http://a'],
  ['http://a/', 'http://a'],
  ['http://a/api', 'http://a'],
  ['http://a/api/', 'http://a'],
  ['http://a//api//', 'http://a'],
  ['http://a/market/api', 'http://a/market'],
  ['http://a/market', 'http://a/market'],
  ['http://a/myapi', 'http://a/myapi'],
])('baseUrl %s is the address %s', (baseUrl, address) => {
  expect(new Marketplace({ baseUrl }).baseUrl).toBe(address)
})

test.each(['market', 'ftp://a', 'http://user:pass@a', 'http://a?b', 'http://a#b'])(
  'baseUrl %j is refused without being repeated',
  (baseUrl) => {
    const make = () => new Marketplace({ baseUrl })
    expect(make).toThrow(MarketplaceError)
    expect(make).not.toThrow(baseUrl)
  },
)
