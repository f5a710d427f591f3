import { once } from 'node:events'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { pageHeaders } from '../../server/board/failure.ts'
import { pages } from '../../server/board/pages/pages.ts'
import { serve } from '../http/serve.ts'
import { rawGet } from './support/raw-get.ts'

const served = await serve()
const get = (path: string, headers?: Record<string, string>, method?: string) =>
  rawGet(served.baseUrl, path, { headers, method })

const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const html = 'text/html; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]
const twin = (path: string) => `${path === '/' ? '/index' : path}.md`
/** Pages that need no id. */
const lists = pages.map(({ path }) => path).filter((path) => !path.includes(':'))

test.each([
  ['/favicon.ico', 'image/x-icon', '00000100'],
  ['/board/home.png', 'image/png', '89504e47'],
])('GET %s is a picture', async (path, type, magic) => {
  const { status, headers, body } = await get(path)
  expect([status, headers['content-type'], body.subarray(0, 4).toString('hex')]).toEqual([200, type, magic])
})

test('robots find the sitemap, and in it addresses that answer', async () => {
  const robots = (await get('/robots.txt')).body.toString()
  expect(robots).toContain(`\nSitemap: ${served.baseUrl}/sitemap.xml\n`)
  const sitemap = (await get('/sitemap.xml')).body.toString()
  const addresses = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)
  expect(addresses).toContain(`${served.baseUrl}/payments`)
  for (const address of addresses) expect.soft((await fetch(address)).status, address).toBe(200)
})

test('the policy of pages allows what this server sends, and nothing else', () => {
  expect(pageHeaders['content-security-policy'].split('; ').toSorted()).toEqual(policy.toSorted())
})

describe.each(lists)('GET %s', (path) => {
  test('200 as a page for a browser, with its policy and without being framed', async () => {
    const { status, headers } = await get(path, asBrowser)
    expect({ status, type: headers['content-type'], policy: headers['content-security-policy'] }).toEqual({
      status: 200,
      type: html,
      policy: policy.join('; '),
    })
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test('200 as Markdown at its twin, which the page names', async () => {
    const { status, headers } = await get(twin(path))
    expect([status, headers['content-type']]).toEqual([200, markdown])
    const page = (await get(path, asBrowser)).body.toString()
    expect(page).toContain(`<link rel="alternate" type="text/markdown" href="${twin(path)}"/>`)
  })

  test('200 compressed for those who accept it, and 304 for those who have it', async () => {
    for (const [address, accept] of [
      [path, asBrowser.accept],
      [twin(path), '*/*'],
    ] as const) {
      const plain = await get(address, { accept })
      const small = await get(address, { accept, 'accept-encoding': 'br' })
      expect(small.headers['content-encoding']).toBe('br')
      expect(small.headers.vary).toContain('accept-encoding')
      const { etag = '' } = small.headers
      expect(etag).toMatch(/^(W\/)?"[^"]+"$/)
      expect(etag).not.toBe(plain.headers.etag)
      const known = await get(address, { accept, 'accept-encoding': 'br', 'if-none-match': etag })
      expect([known.status, known.body.length]).toEqual([304, 0])
      expect(brotliDecompressSync(small.body).length).toBeGreaterThan(small.body.length)
      expect(plain.headers['cache-control']).toBe('no-cache')
    }
  })

  test('HEAD has the headers of GET and no body', async () => {
    const head = await get(path, asBrowser, 'HEAD')
    const whole = await get(path, asBrowser)
    expect([head.status, head.body.length]).toEqual([200, 0])
    for (const name of ['content-type', 'content-security-policy', 'cache-control', 'vary'])
      expect(head.headers[name]).toBe(whole.headers[name])
  })

  test('405 for POST', async () => {
    expect((await get(path, asBrowser, 'POST')).status).toBe(405)
  })
})

describe('parameters', () => {
  test('empty ones count as absent, as forms send them', async () => {
    const page = (await get('/?status=&difficulty=&q=&project_id=', asBrowser)).body.toString()
    expect(page).toBe((await get('/', asBrowser)).body.toString())
  })

  test('unknown ones are ignored', async () => {
    const { status, body } = await get('/?utm_source=x&status=open', asBrowser)
    expect(status).toBe(200)
    expect(body.toString()).toBe((await get('/?status=open', asBrowser)).body.toString())
  })

  test.each([
    '/?status=lost',
    '/?offset=-1',
    '/projects?status=gone',
    '/agents?offset=x',
    '/payments?after=x',
  ])('400 as a page for %s', async (path) => {
    const { status, headers, body } = await get(path, asBrowser)
    expect([status, headers['content-type']]).toEqual([400, html])
    expect(headers['content-security-policy']).toBe(policy.join('; '))
    expect(headers['cache-control']).toBe('no-store')
    expect(body.toString()).toContain('validation_failed')
  })

  test.each([
    ['status=lost', 'has a value that does not exist'],
    ['status=all&min_reward=ten', 'must be a whole number'],
    ['tag=No+tag', 'must be 1 to 30 of a-z, 0-9 and -'],
  ])('what is wrong with /?%s is said once, in words', async (query, problem) => {
    const page = (await get(`/?${query}`, asBrowser)).body.toString()
    expect(page.match(/<p class="summary">.*?<\/p>/)?.[0]).toContain(`” ${problem}.`)
    expect(page).not.toContain('Invalid')
    expect(page.split(problem)).toHaveLength(3)
  })
})

test.each([
  ['/bounties?status=done&q=a%20b', '/?status=done&q=a%20b'],
  ['/bounties.md', '/index.md'],
  ['/payouts', '/payments'],
  ['/payouts.md?agent_id=x', '/payments.md?agent_id=x'],
  ['/payouts/sub_1', '/payments/sub_1'],
  ['/payouts/sub_1.md', '/payments/sub_1.md'],
  ['/payouts/%2F%2Fevil.example', '/payments/%2F%2Fevil.example'],
  ['/status', '/how'],
])('301 from %s, where a page stood before, to %s', async (from, to) => {
  const { status, headers } = await get(from, asBrowser)
  expect([status, headers.location]).toEqual([301, to])
})

describe('what is not there', () => {
  const paths = pages.map(({ path }) => path).filter((path) => path.includes(':id'))

  test.each(paths)('404 as a page, and as JSON at the twin: %s', async (path) => {
    const id = '%3Cscript%3Ealert(1)%3C%2Fscript%3E'
    const { status, headers, body } = await get(path.replace(':id', id), asBrowser)
    expect([status, headers['content-type']]).toEqual([404, html])
    expect(headers['content-security-policy']).toBe(policy.join('; '))
    expect(body.toString()).not.toContain('<script>alert')
    expect(body.toString()).toContain(String(headers['x-request-id']))
    const program = await get(`${path.replace(':id', 'bnt_00000000000000000000')}.md`)
    expect(program.status).toBe(404)
    expect(JSON.parse(program.body.toString()).error.code).toMatch(/(^|_)not_found$/)
  })
})

describe('files of the pages', () => {
  test('have addresses that hold for a year, and change with their content', async () => {
    const page = (await get('/', asBrowser)).body.toString()
    const addresses = [...page.matchAll(/"(\/board\/[^"]+)"/g)].map(([, address]) => String(address))
    expect(addresses.map((address) => address.split('?')[0]).toSorted()).toEqual([
      '/board/board.css',
      '/board/board.js',
      '/board/icon.svg',
    ])
    for (const address of addresses) {
      const { status, headers } = await get(address)
      expect(status).toBe(200)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })
})

describe('a page counts as a public read', () => {
  test('429 as a page beyond the limit, which reads over /api share', async () => {
    const settings = { RATE_LIMITS: 'on', RATE_LIMIT_READS_PER_MINUTE: '3' }
    const limited = await serve({ settings })
    const ask = (path: string) => rawGet(limited.baseUrl, path, { headers: asBrowser })
    expect((await limited.api('GET', '/api/bounties')).status).toBe(200)
    expect([(await ask('/')).status, (await ask('/agents')).status]).toEqual([200, 200])
    for (const path of ['/', '/agents', '/projects']) {
      const { status, headers } = await ask(path)
      expect([status, headers['content-type']]).toEqual([429, html])
      expect(headers['retry-after']).toMatch(/^\d+$/)
    }
    expect((await limited.api('GET', '/api/bounties')).status).toBe(429)
    await limited.close()
  })

  test('503 as a page once all places are taken: pages that ask the chain have their own, others share those of reads', async () => {
    const full = await serve({ settings: { MAX_REQUESTS_IN_FLIGHT: '1', REMEMBER_RESPONSES: 'false' } })
    const ask = (path: string) => rawGet(full.baseUrl, path, { headers: asBrowser })
    const { reads } = full.services
    const { run } = reads
    let open = () => {}
    const opened = new Promise<void>((done) => {
      open = done
    })
    reads.run = async (statement) => {
      await opened
      return run(statement)
    }
    const accepted = []
    const pages = ['/bounties.atom', '/bounties.atom', '/bounties.atom', '/', '/', '/']
    for (const path of pages) {
      const arrived = once(full.app.server, 'request')
      accepted.push(ask(path))
      await arrived
    }
    // This response comes after the server has handled every request that arrived before.
    await full.api('GET', '/healthz')
    const [page, front, json] = await Promise.all([ask('/desk'), ask('/'), full.api('GET', '/api/bounties')])
    expect([page.status, page.headers['content-type']]).toEqual([503, html])
    expect([front.status, front.headers['content-type']]).toEqual([503, html])
    expect(page.headers['retry-after']).toBe('1')
    expect(json.status).toBe(503)
    open()
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual(pages.map(() => 200))
    await full.close()
  })
})
