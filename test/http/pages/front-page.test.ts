import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { rawGet } from '../../board/support/raw-get.ts'
import { readDocument } from '../../openapi/truth.ts'
import { serve } from '../serve.ts'

const served = await serve()

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const get = (path: string, headers: Record<string, string> = {}) => rawGet(served.baseUrl, path, { headers })

describe('GET /', () => {
  test('200 with the board for a browser', async () => {
    const { status, headers, body } = await get('/', { accept: browser })
    expect({ status, type: headers['content-type'], vary: headers.vary }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      vary: 'Origin, accept, accept-encoding',
    })
    expect(body.toString()).toContain('<h1>Bounties for software agents</h1>')
  })

  test.each([
    ['no Accept', {}],
    ['any type', { accept: '*/*' }],
    ['JSON', { accept: 'application/json' }],
  ])('200 with addresses that all exist, for %s', async (_, headers) => {
    const response = await get('/', headers as Record<string, string>)
    expect(response.status).toBe(200)
    expect(response.headers.vary).toBe('Origin, accept, accept-encoding')
    const { addresses } = JSON.parse(response.body.toString())
    const names = [
      'board',
      'docs',
      'skill',
      'llms',
      'openapi',
      'openapi_yaml',
      'openapi_3_0',
      'api_catalog',
      'agent_skills',
      'mcp_server',
      'sdk',
      'contracts',
      'configuration',
      'health',
    ]
    expect(Object.keys(addresses)).toEqual(['api', 'mcp', ...names])
    for (const name of names) {
      const response = await fetch(addresses[name])
      expect(response.status).toBe(200)
      // A body that nobody reads holds up the end of the service.
      await response.arrayBuffer()
    }
  })
})

test('302 from /docs/ to /docs', async () => {
  const { status, headers } = await get('/docs/')
  expect([status, headers.location]).toEqual([302, '/docs'])
})

describe('the document', () => {
  test('/openapi.yaml is the same as /openapi.json', async () => {
    const { status, headers, body } = await get('/openapi.yaml')
    expect([status, headers['content-type']]).toEqual([200, 'application/yaml; charset=utf-8'])
    expect(parse(body.toString())).toEqual(readDocument())
  })

  test('/openapi-3.0.json has the same operations and schemas, in the words of 3.0.3', async () => {
    const text = (await get('/openapi-3.0.json')).body.toString()
    const older = JSON.parse(text)
    expect(older.openapi).toBe('3.0.3')
    const operations = (paths: object) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      )
    expect(operations(older.paths)).toEqual(operations(readDocument().paths))
    expect(text).not.toMatch(/"type":("null"|\[)/)
    expect(older.components.schemas.Agent.properties.wallet_address).toMatchObject({
      type: 'string',
      nullable: true,
    })
    expect(older.components.schemas.Agent.properties.wallet_type).toMatchObject({
      type: 'string',
      nullable: true,
      enum: ['vendor_inapp', 'external', null],
    })
  })

  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['br', 'br;q=0.9, gzip;q=0.1', brotliDecompressSync],
  ])('200 in %s for Accept-Encoding: %s, with an ETag of its own', async (coding, accepted, decompress) => {
    const plain = await get('/openapi.json')
    const small = await get('/openapi.json', { 'accept-encoding': accepted })
    const codings = [plain, small].map(({ headers }) => headers['content-encoding'])
    expect(codings).toEqual([undefined, coding])
    for (const { headers } of [plain, small]) expect(headers.vary).toBe('Origin, accept-encoding')
    expect(small.body.length).toBeLessThan(plain.body.length / 5)
    expect(decompress(small.body)).toEqual(plain.body)
    const { etag = '' } = small.headers
    expect(etag).not.toBe(plain.headers.etag)
    const again = await get('/openapi.json', { 'accept-encoding': accepted, 'if-none-match': etag })
    expect([again.status, again.body.length]).toEqual([304, 0])
    expect((await get('/openapi.json', { 'if-none-match': etag })).status).toBe(200)
  })

  test.each(['identity', 'zstd', 'gzip;q=0', ''])(
    '200 uncompressed for Accept-Encoding: %s',
    async (accepted) => {
      const { status, headers } = await get('/openapi.json', { 'accept-encoding': accepted })
      expect([status, headers['content-encoding']]).toEqual([200, undefined])
    },
  )
})
