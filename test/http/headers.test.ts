import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sampleOperations } from './sample-operations.ts'
import { serve } from './serve.ts'

const served = await serve()

const everyKind: [string, string, string][] = [
  ['200', 'GET', '/api/bounties'],
  ['400', 'GET', '/api/bounties?limit=0'],
  ['400 before any route', 'GET', '/api/bounties/%zz'],
  ['401', 'GET', '/api/agents/me'],
  ['404', 'GET', '/api/bounties/bnt_unknown'],
  ['404 for no path', 'GET', '/nothing'],
  ['405', 'DELETE', '/api/bounties'],
  ['204', 'OPTIONS', '/api/bounties'],
  ['200 of health', 'GET', '/healthz'],
]

describe('every response', () => {
  test.each(everyKind)('%s carries the request id and the security headers', async (_name, method, path) => {
    const { headers } = await served.api(method, path)
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{20}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers.get('cache-control')).toMatch(/^no-(store|cache)$/)
    expect(headers.get('server')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
  })
})

describe('X-Request-Id', () => {
  test.each(['a', 'req-1/2:3', '~!@#$%^&*()', 'x'.repeat(128)])('%s is repeated', async (id) => {
    const { headers } = await served.api('GET', '/api/bounties', { headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toBe(id)
  })

  test.each(['', 'a b', 'a\tb', 'ü', 'x'.repeat(129)])('%j is replaced', async (id) => {
    const { headers } = await served.api('GET', '/nothing', { headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{20}$/)
  })

  test('a caller’s own is the one in the error body', async () => {
    const { body } = await served.api('GET', '/nothing', { headers: { 'x-request-id': 'mine' } })
    expect(body.error.request_id).toBe('mine')
  })
})

describe('ETag', () => {
  test('304 without a body for the tag of a public response, 200 for another tag', async () => {
    const first = await served.api('GET', '/api/bounties')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w+/]{27}="$/)
    const match = (value: string) =>
      served.api('GET', '/api/bounties', { headers: { 'if-none-match': value, 'cache-control': 'no-cache' } })
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, body, headers } = await match(value)
      expect({ status, body }).toEqual({ status: 304, body: undefined })
      expect(headers.get('content-length')).toBe(null)
      expect(headers.get('etag')).toBe(etag)
      expect(headers.get('etag')).toBe(etag)
      expect(headers.get('cache-control')).toBe('no-cache')
    }
    for (const value of ['"other"', etag.slice(1, -1), '']) expect((await match(value)).status).toBe(200)
  })

  test('another response has another tag', async () => {
    const tags = await Promise.all(
      ['/api/bounties', '/api/projects'].map(async (path) =>
        (await served.api('GET', path)).headers.get('etag'),
      ),
    )
    expect(tags[0]).not.toBe(tags[1])
  })

  test('errors and responses to one caller have no tag and may not be stored', async () => {
    const ada = await served.agent()
    for (const answer of [
      await served.api('GET', '/api/bounties/bnt_unknown', { headers: { 'if-none-match': '*' } }),
      await served.api('GET', '/api/agents/me', { key: ada.key, headers: { 'if-none-match': '*' } }),
    ]) {
      expect(answer.status).not.toBe(304)
      expect(answer.headers.get('etag')).toBeNull()
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('CORS', () => {
  const preflight = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  }

  test('any origin may call and see our headers by default, without credentials', async () => {
    const { headers } = await served.api('GET', '/api/bounties', {
      headers: { origin: 'https://app.example' },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    const exposed = headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['x-request-id', 'retry-after', 'ratelimit', 'etag']))
  })

  test('errors can be read by a browser too', async () => {
    const { headers } = await served.api('GET', '/api/agents/me', {
      headers: { origin: 'https://app.example' },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('204 for a preflight, which needs no key', async () => {
    const { status, headers } = await served.api('OPTIONS', '/api/agents/me/wallet', { headers: preflight })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE')
    expect(headers.get('access-control-allow-headers')).toContain('idempotency-key')
  })

  test.each([
    '/openapi.json',
    '/contracts.json',
    '/skill.md',
    '/skill/errors.md',
    '/llms.txt',
    '/.well-known/api-catalog',
    '/.well-known/agent-skills/index.json',
  ])('any origin may read %s', async (path) => {
    const { headers } = await fetch(served.baseUrl + path, { headers: { origin: 'https://app.example' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each(['/healthz', '/readyz', '/docs', '/nothing'])('no other origin may read %s', async (path) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await fetch(served.baseUrl + path, { method, headers: preflight })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('only the configured origins, if there are any', async () => {
    const origins = 'https://one.example,https://two.example'
    const other = await serve({ operations: sampleOperations, settings: { CORS_ORIGINS: origins } })
    const allowed = async (origin: string) =>
      (await other.api('GET', '/api/probes', { headers: { origin } })).headers.get(
        'access-control-allow-origin',
      )
    expect(await allowed('https://two.example')).toBe('https://two.example')
    expect(await allowed('https://three.example')).toBeNull()
    expect(await allowed('null')).toBeNull()
  })
})

describe('health', () => {
  test('200 of /healthz and /readyz', async () => {
    expect((await served.api('GET', '/healthz')).body).toEqual({ status: 'ok' })
    expect((await served.api('GET', '/readyz')).body).toEqual({
      status: 'ready',
      checks: { database: true, migrations: true },
      chain: 'not_configured',
    })
  })

  test('503 unavailable while a migration is missing', async () => {
    const other = await serve()
    await other.db.executeQuery(CompiledQuery.raw(`delete from kysely_migration where name like '0003%'`))
    const { status, body } = await other.api('GET', '/readyz')
    expect({ status, message: body.error.message }).toEqual({
      status: 503,
      message: 'Not ready: migrations.',
    })
  })
})

test.each(['nothing.json', 'bounties', 'bounties.yaml'])('404 not_found for /openapi/%s', async (file) => {
  const { status, body } = await served.api('GET', `/openapi/${file}`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})
