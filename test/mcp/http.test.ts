import { request } from 'node:http'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { createApp } from '../../server/app.ts'
import { expectError } from '../support/errors.ts'
import { createTestMarket } from '../support/market.ts'
import { connect, post } from './client.ts'
import schema from './server.schema.json' with { type: 'json' }

const market = await createTestMarket({
  engines: false,
  settings: { CORS_ORIGINS: 'https://agents.example', PUBLIC_URL: 'https://market.example' },
})
const { key } = await market.register()
const { baseUrl } = market
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Sends a ping with a Host header of its own, which fetch does not let one set. */
function postTo(host: string): Promise<{ status: number | undefined; body: string }> {
  const headers = { host, authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL('/mcp', baseUrl),
      { method: 'POST', headers, agent: false },
      async (response) => {
        let body = ''
        for await (const chunk of response) body += chunk
        resolve({ status: response.statusCode, body })
      },
    )
    sent.on('error', reject).end(JSON.stringify(ping))
  })
}

describe('401 unauthorized', () => {
  test.each(['Bearer bmk_unknown', 'Bearer ', ''])(
    'with the header Authorization: %s',
    async (authorization) => {
      const answer = await post(baseUrl, undefined, ping, { authorization })
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    },
  )
})

describe('origins and hosts', () => {
  test.each([
    ['no Origin', {}, 200],
    ['its own origin', { origin: baseUrl }, 200],
    ['the origin of PUBLIC_URL', { origin: 'https://market.example' }, 200],
    ['an allowed origin', { origin: 'https://agents.example' }, 200],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['no origin at all', { origin: 'null' }, 403],
  ])('%s: %j gives %i', async (_what, headers, status) => {
    expect((await post(baseUrl, key, ping, headers as Record<string, string>)).status).toBe(status)
  })

  test.each([
    ['localhost', 200],
    ['[::1]:3000', 200],
    ['market.example', 200],
    ['rebound.example', 403],
    ['127.0.0.1.rebound.example', 403],
  ])('the host %s at a loopback address gives %i', async (host, status) => {
    const { status: got, body } = await postTo(host)
    expect(got).toBe(status)
    if (status === 403) expect(JSON.parse(body)).toMatchObject({ error: { code: 'origin_refused' } })
  })
})

test.each([
  ['a batch', JSON.stringify([ping, ping]), {}, 400, 'invalid_json'],
  ['broken JSON', '{"jsonrpc"', {}, 400, 'invalid_json'],
  ['an empty body', '', {}, 400, 'invalid_json'],
  ['a key twice', '{"id":1,"id":2}', {}, 400, 'invalid_json'],
  [
    'more than 64 KiB',
    JSON.stringify({ ...ping, params: { text: 'x'.repeat(65_536) } }),
    {},
    413,
    'payload_too_large',
  ],
  [
    'another content type',
    JSON.stringify(ping),
    { 'content-type': 'text/plain' },
    415,
    'unsupported_media_type',
  ],
])(
  '%s gets an error of JSON-RPC with that of every other path as its data',
  async (what, body, headers, status, code) => {
    expect(await post(baseUrl, key, body, headers as Record<string, string>)).toMatchObject({
      status,
      body: {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: what === 'broken JSON' ? -32700 : -32600,
          data: { code, request_id: expect.any(String) },
        },
      },
    })
  },
)

test('401 for GET with a key that is refused, which clients send first', async () => {
  expectError(await market.api('GET', '/mcp', { key: 'bmk_unknown' }), 'unauthorized')
})

test.each([
  ['/register', 'application/json', '{"client_name":"test"}'],
  ['/token', 'application/x-www-form-urlencoded', 'grant_type=refresh_token'],
])(
  'POST %s, where clients look for OAuth after a 401, says in its form that there is none',
  async (path, type, body) => {
    const response = await fetch(baseUrl + path, { method: 'POST', headers: { 'content-type': type }, body })
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'access_denied', error_description: expect.stringContaining('Authorization: Bearer') },
    ])
  },
)

test.each(['GET', 'DELETE', 'PUT'])('405 for %s', async (method) => {
  const answer = await market.api(method, '/mcp', { key })
  expectError(answer, 'method_not_allowed')
  expect(answer.headers.get('allow')).toBe('POST')
})

test.each([
  ['no JSON-RPC', { hello: 'world' }],
  ['an unknown method', { ...ping, method: 'tools/destroy' }],
  [
    'another protocol version',
    {
      ...ping,
      method: 'tools/list',
      params: { _meta: { ...modern, 'io.modelcontextprotocol/protocolVersion': '1999-01-01' } },
    },
  ],
  [
    'arguments that are no object',
    { ...ping, method: 'tools/call', params: { name: 'claim', arguments: 'x' } },
  ],
  ['a name that is no string', { ...ping, method: 'tools/call', params: { name: ['claim'] } }],
])('%s gets an error of JSON-RPC at once', async (_what, message) => {
  const { status, body, headers } = await post(baseUrl, key, message)
  expect(status).toBeLessThan(500)
  expect(headers.get('content-type')).toContain('application/json')
  expect(body).toMatchObject({
    jsonrpc: '2.0',
    error: { code: expect.any(Number), message: expect.any(String) },
  })
})

test('404 and -32601 for a subscription: nothing can be subscribed to', async () => {
  const message = { ...ping, method: 'subscriptions/listen', params: { _meta: modern } }
  const { status, body } = await post(baseUrl, key, message, { 'mcp-protocol-version': '2026-07-28' })
  expect(status).toBe(404)
  expect(body).toMatchObject({ id: ping.id, error: { code: -32601 } })
})

test('null for arguments means none', async () => {
  const params = { name: 'find_bounties', arguments: null }
  const { status, body } = await post(baseUrl, key, { ...ping, method: 'tools/call', params })
  expect(status).toBe(200)
  expect(body.result.isError).toBeUndefined()
  expect(JSON.parse(body.result.content[0].text).bounties).toEqual(expect.any(Array))
})

test('a header of 5 kB is not repeated', async () => {
  const headers = { 'mcp-protocol-version': 'v'.repeat(5000) }
  const { body } = await post(baseUrl, key, { ...ping, method: 'tools/list' }, headers)
  expect(JSON.stringify(body).length).toBeLessThan(1000)
})

test('a notification gets 202', async () => {
  expect((await post(baseUrl, key, { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
})

test('a client that accepts only JSON, or says nothing, gets JSON', async () => {
  for (const accept of ['application/json', '*/*'])
    expect(await post(baseUrl, key, ping, { accept })).toMatchObject({ status: 200, body: { result: {} } })
})

test('browsers of allowed origins may send what MCP clients send', async () => {
  const answer = await fetch(`${baseUrl}/mcp`, {
    method: 'OPTIONS',
    headers: { origin: 'https://agents.example', 'access-control-request-method': 'POST' },
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://agents.example')
  expect(answer.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
})

test('server.json is an entry that registries take, with this version and address', async () => {
  const { status, body, headers } = await market.api('GET', '/server.json')
  expect(status).toBe(200)
  expect(headers.get('etag')).toMatch(/^"/)
  expect(headers.get('cache-control')).toBe('no-cache')
  const ajv = formats.default(new Ajv({ strict: false }))
  expect(ajv.validate(schema, body), ajv.errorsText()).toBe(true)
  expect(body).toMatchObject({
    name: 'example.market/bounty-marketplace',
    version: manifest.version,
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://market.example/mcp',
        headers: [{ name: 'Authorization', isSecret: true }],
      },
    ],
  })
})

test.each([['evil.example/path?x='], ['<script>'], ['1.2.3.4.5']])(
  'server.json has no address made of the forwarded host %j',
  async (host) => {
    const app = await createApp({
      ...market.services,
      config: { ...market.services.config, PUBLIC_URL: undefined, TRUSTED_PROXIES: ['127.0.0.1'] },
    })
    onTestFinished(() => app.close())
    const { statusCode, body } = await app.inject({
      url: '/server.json',
      headers: { 'x-forwarded-host': host },
      remoteAddress: '127.0.0.1',
    })
    expect(statusCode).toBe(200)
    expect(body).not.toContain(host)
    const ajv = formats.default(new Ajv({ strict: false }))
    expect(ajv.validate(schema, JSON.parse(body)), ajv.errorsText()).toBe(true)
  },
)

/*
 * What the protocol's inspector and conformance suite check of tools, by name: server-initialize, ping, tools-list and
 * dns-rebinding-protection are here and in protocol.test.ts. The programs themselves are not run: the suite needs Node 22, sends no API key,
 * and calls tools of a sample server.
 */
test('every tool is well described', async () => {
  const { client } = await connect(baseUrl, key)
  const { tools } = await client.listTools()
  const ajv = new Ajv({ strict: false })
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  for (const { name, description = '', inputSchema } of tools) {
    expect(name).toMatch(/^[a-z][a-z_]{1,63}$/)
    expect([description.length > 50, description.length < 350]).toEqual([true, true])
    expect(JSON.stringify(inputSchema)).not.toContain('$ref')
    expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) })
    expect(ajv.validateSchema(inputSchema), name).toBe(true)
    for (const property of Object.values(inputSchema.properties ?? {}))
      expect(property, name).toMatchObject({ type: expect.any(String) })
  }
  // What MCP assumes of a tool that says nothing: it writes, and destroys.
  const named = (isMeant: (hints: { readOnlyHint?: boolean; destructiveHint?: boolean }) => boolean) =>
    tools
      .filter(({ annotations = {} }) => isMeant(annotations))
      .map(({ name }) => name)
      .sort()
  const readers = [
    'balances',
    'dollars',
    'find_bounties',
    'get_bounty',
    'get_submission',
    'next_actions',
    'preflight',
    'pull_request',
    'review_queue',
    'wait_for_events',
  ]
  expect(named(({ readOnlyHint = false }) => readOnlyHint)).toEqual(readers)
  expect(
    named(({ readOnlyHint = false, destructiveHint = true }) => destructiveHint && !readOnlyHint),
  ).toEqual(['approve', 'change_claim', 'merge', 'retract', 'return_submission'])
})

test.each([
  [undefined, 14_400, ['claim', 'approve']],
  ['contributor', 7500, ['claim', 'find_bounties']],
  ['founder', 11_800, ['approve', 'find_bounties']],
] as const)('the list of tools for the role %s fits into %d bytes', async (role, most, some) => {
  const path = role ? `?role=${role}` : ''
  const { body } = await post(`${baseUrl}${path}`, key, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const { tools } = body.result as { tools: { name: string }[] }
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(most)
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...some]))
})

test('a tool of the other role can be called; a role that there is not is refused', async () => {
  const call = { method: 'tools/call', params: { name: 'review_queue', arguments: {} } }
  const at = (role: string) => post(`${baseUrl}?role=${role}`, key, { jsonrpc: '2.0', id: 1, ...call })
  const { body } = await at('contributor')
  expect(JSON.parse(body.result.content[0].text)).toMatchObject({
    error: { issues: [{ path: 'project_id', message: 'is required' }] },
  })
  expect(await at('founder,contributor')).toMatchObject({
    status: 400,
    body: { error: { data: { code: 'validation_failed', issues: [{ path: 'role' }] } } },
  })
})
