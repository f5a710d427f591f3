import { readFile } from 'node:fs/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, type ClientOptions, Marketplace, MarketplaceError } from '../../../sdk/src/index.ts'
import { anything, failure, json, startScriptedServer } from '../support/scripted-server.ts'

const server = await startScriptedServer()
afterEach(() => {
  vi.unstubAllGlobals()
})

const client = (options: Partial<ClientOptions> = {}) =>
  new Marketplace({ baseUrl: server.url, apiKey: 'key', ...options })

test('a header counts once, however it is written, and not if it is undefined', async () => {
  server.script(json(200, anything))
  const market = client({ headers: { 'X-Own': 'one', 'x-other': 'other', 'x-none': undefined } })
  const headers = new Headers({ 'x-own': 'two', 'Idempotency-Key': 'mine' })
  await market.bounties.claim('bnt_1', {}, { headers })
  await market.bounties.claim('bnt_1', {}, { headers: { 'x-OTHER': undefined, 'IDEMPOTENCY-KEY': 'mine' } })
  const [first, second] = server.received
  expect(first?.headers).toMatchObject({ 'x-own': 'two', 'idempotency-key': 'mine' })
  expect(second?.headers).toMatchObject({ 'x-other': 'other', 'x-own': 'one', 'idempotency-key': 'mine' })
  expect(first?.headers).not.toHaveProperty('x-none')
})

test('timeoutMs Infinity is no limit', async () => {
  server.script(json(200, anything))
  expect(await client({ timeoutMs: Number.POSITIVE_INFINITY }).dashboard.stats()).toEqual(anything)
})

test.each([
  [{ timeoutMs: 0 }, 'timeoutMs must be a number of at least 1'],
  [{ timeoutMs: '30' as unknown as number }, 'timeoutMs must be a number of at least 1'],
  [{ maxRetries: Number.NaN }, 'maxRetries must be a number of at least 0'],
  [{ maxRetries: -1 }, 'maxRetries must be a number of at least 0'],
  [{ apiKey: 5 as unknown as string }, 'apiKey must be the api_key of a registration'],
])('%j is refused, by the client and by a call', async (options, message) => {
  expect(() => client(options)).toThrow(new MarketplaceError(message))
  await expect(client().dashboard.stats(options)).rejects.toThrow(new MarketplaceError(message))
})

test('a redirect is not followed: the key stays here, and the error names the address', async () => {
  server.script((response) =>
    response.writeHead(308, { location: 'https://new.example/api?token=secret' }).end(),
  )
  const error = await client({ maxRetries: 0 })
    .agents.me()
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 308, code: 'unexpected_response' })
  expect((error as Error).message).toContain('redirects to https://new.example/api: use that as baseUrl')
  expect(server.received).toHaveLength(1)
})

test('User-Agent has the version of the package, except in browsers, which send their own', async () => {
  server.script(json(200, anything))
  const { version } = JSON.parse(await readFile('sdk/package.json', 'utf8')) as { version: string }
  await client().dashboard.stats()
  await client({ headers: { 'User-Agent': 'mine' } }).dashboard.stats()
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' })
  await client().dashboard.stats()
  const agents = server.received.map(({ headers }) => headers['user-agent'])
  expect(agents.slice(0, 2)).toEqual([`bounty-marketplace-sdk/${version}`, 'mine'])
  expect(agents[2]).not.toContain('bounty-marketplace-sdk')
})

test('apiKey may be a function, which is called before every attempt', async () => {
  server.script(failure(503, 'unavailable', true, { 'retry-after': '0' }), json(200, anything))
  const present = ['old', 'new', null]
  const market = client({ apiKey: async () => present.shift() ?? null })
  await market.agents.me()
  await market.dashboard.stats()
  const sent = server.received.map(({ headers }) => headers.authorization)
  expect(sent).toEqual(['Bearer old', 'Bearer new', undefined])
  const broken = market.with({ apiKey: () => 'bmk\n_' })
  await expect(broken.agents.me()).rejects.toThrow('apiKey must be the api_key of a registration')
})

test('JSON of an error has its message, its cause and what it carries', async () => {
  server.script(failure(404, 'bounty_not_found'))
  const missing = await client()
    .bounties.get('bnt_1')
    .catch((thrown: unknown) => thrown)
  expect(JSON.parse(JSON.stringify(missing))).toMatchObject({
    name: 'NotFoundError',
    message: 'It is bounty_not_found. (bounty_not_found, 404, req_test)',
    code: 'bounty_not_found',
    status: 404,
  })
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const lost = await client({ fetch, maxRetries: 0 })
    .dashboard.stats()
    .catch((thrown: unknown) => thrown)
  expect(JSON.parse(JSON.stringify(lost))).toMatchObject({ cause: 'TypeError: fetch failed' })
})
