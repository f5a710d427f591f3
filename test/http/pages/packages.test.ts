import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../../sdk/package.json' with { type: 'json' }
import { sharedBuild } from '../../support/shared/shared.ts'
import { serve } from '../serve.ts'

const served = await serve()

async function get(path: string, init: RequestInit = {}, baseUrl = served.baseUrl) {
  const response = await fetch(baseUrl + path, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}
const sha512 = (bytes: Buffer, encoding: 'base64' | 'hex') =>
  createHash('sha512').update(bytes).digest(encoding)

const versioned = (path: string, bytes = Buffer.alloc(0)) =>
  `${path}?v=${createHash('sha512').update(bytes).digest('hex').slice(0, 12)}`

test('/sdk.json names the two packages of this version, with the digests of their bytes', async () => {
  const [npm, python, index] = await Promise.all(
    ['/sdk.tgz', '/sdk-python.tgz', '/sdk.json'].map((path) => get(path)),
  )
  const { version } = manifest
  expect(JSON.parse(String(index?.bytes))).toEqual({
    name: '@bounty-marketplace/sdk',
    version,
    url: served.baseUrl + versioned('/sdk.tgz', npm?.bytes),
    integrity: `sha512-${sha512(npm?.bytes ?? Buffer.alloc(0), 'base64')}`,
    python: {
      name: 'bounty-marketplace',
      version,
      url: `${served.baseUrl}${versioned('/sdk-python.tgz', python?.bytes)}#sha512=${sha512(python?.bytes ?? Buffer.alloc(0), 'hex')}`,
    },
  })
})

test('the address of both is the public one, where it is set', async () => {
  const other = await serve({ settings: { PUBLIC_URL: 'https://market.example' } })
  const { url, python } = JSON.parse(String((await get('/sdk.json', {}, other.baseUrl)).bytes))
  expect([url, python.url].map((address) => address.split('?')[0])).toEqual([
    'https://market.example/sdk.tgz',
    'https://market.example/sdk-python.tgz',
  ])
})

test.each(['/sdk.tgz', '/sdk-python.tgz'])(
  '%s is cached for good at the address with its digest, and elsewhere asked for by its strong ETag',
  async (path) => {
    const { status, headers, bytes } = await get(path)
    const etag = headers.get('etag') ?? ''
    expect({ status, type: headers.get('content-type'), cache: headers.get('cache-control') }).toEqual({
      status: 200,
      type: 'application/gzip',
      cache: 'no-cache',
    })
    const cacheOf = async (address: string) => (await get(address)).headers.get('cache-control')
    expect(await cacheOf(versioned(path, bytes))).toBe('public, max-age=31536000, immutable')
    for (const other of [versioned(path), `${path}?v=`, `${versioned(path, bytes)}&v=1`])
      expect(await cacheOf(other)).toBe('no-cache')
    expect(etag).toMatch(/^"[^"]+"$/)
    expect(bytes.length).toBeGreaterThan(10_000)
    expect(bytes.length).toBeLessThan(412_000)
    const again = await get(path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag])
    const head = await get(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${bytes.length}`])
  },
)

// Another process made it, for a server that has neither sources nor tools.
test.each(['sdk.tgz', 'sdk-python.tgz'])('a build has the same bytes of %s', async (name) => {
  expect(sha512(await readFile(join(await sharedBuild(), 'sdk', name)), 'hex')).toBe(
    sha512((await get(`/${name}`)).bytes, 'hex'),
  )
})

test('pages name the package of the registry once SDK_PUBLISHED says that it is ours, and not before', async () => {
  const published = await serve({ settings: { SDK_PUBLISHED: 'true' } })
  for (const path of ['/llms.txt', '/skill.md']) {
    const text = String((await get(path, {}, published.baseUrl)).bytes)
    expect(text).toContain('`npm install @bounty-marketplace/sdk`')
    expect(text).toContain(`\`pip install ${published.baseUrl}/sdk-python.tgz\``)
    expect(String((await get(path)).bytes)).not.toContain('@bounty-marketplace')
  }
})
