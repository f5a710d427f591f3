import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorCatalog } from '../../server/errors.ts'
import { type RawAnswer, serve } from './serve.ts'

const served = await serve()

const host = 'Host: market.example\r\n'
const get = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n`
const post = (headers: string, body = '') =>
  `POST /api/agents/register HTTP/1.1\r\n${host}Content-Type: application/json\r\nConnection: close\r\n${headers}\r\n${body}`

function expectRawError({ status, headers, text }: RawAnswer, code: ErrorCode) {
  expect(text).not.toBe('')
  const { error } = JSON.parse(text)
  expect({ status, code: error.code }).toEqual({ status: errorCatalog[code].status, code })
  expect(error.request_id).toBe(headers.get('x-request-id'))
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
}

const refused: [string, string | Buffer, ErrorCode][] = [
  ['bytes that are no HTTP', '\0\x01\x02 garbage\r\n\r\n', 'malformed_request'],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'malformed_request'],
  ['an unknown method', `FOO / HTTP/1.1\r\n${host}\r\n`, 'malformed_request'],
  ['bare line feeds', 'GET /healthz HTTP/1.1\nHost: x\n\n', 'malformed_request'],
  ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 'malformed_request'],
  ['an empty Host', 'GET /healthz HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n', 'malformed_request'],
  ['two Hosts', get('/healthz', 'Host: other.example\r\n'), 'malformed_request'],
  [
    'a Host that is none',
    'GET /healthz HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n',
    'malformed_request',
  ],
  ['a Host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n', 'malformed_request'],
  ['a control character in a header', get('/healthz', 'X-A: a\x01b\r\n'), 'malformed_request'],
  ['broken percent-encoding', get('/api/bounties/%zz'), 'malformed_request'],
  ['half an escape', get('/api/bounties/%'), 'malformed_request'],
  ['percent-encoded bytes that are no UTF-8', get('/api/bounties/%ff%fe'), 'malformed_request'],
  ['raw bytes in the target', Buffer.from(get('/api/bounties/é')), 'malformed_request'],
  [
    'content-length and transfer-encoding',
    post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    'malformed_request',
  ],
  ['a broken chunk', post('Transfer-Encoding: chunked\r\n', 'zz\r\n\r\n'), 'malformed_request'],
  ['a negative length', post('Content-Length: -1\r\n'), 'malformed_request'],
  ['an unknown transfer-encoding', post('Transfer-Encoding: gzip\r\n', '{}'), 'malformed_request'],
  ['headers of 17 KiB', get('/healthz', `X-A: ${'a'.repeat(17 * 1024)}\r\n`), 'headers_too_large'],
  ['an address of 5,000 characters', get(`/api/bounties/${'a'.repeat(5000)}`), 'uri_too_long'],
  ['an unknown address of 5,000 characters', get(`/${'a'.repeat(5000)}`), 'uri_too_long'],
  ['a query of 5,000 characters', get(`/api/bounties?q=${'a'.repeat(5000)}`), 'uri_too_long'],
  ['a body announced as 100 GB', post('Content-Length: 100000000000\r\n', '{'), 'payload_too_large'],
  ['CONNECT', `CONNECT other.example:443 HTTP/1.1\r\n${host}\r\n`, 'method_not_allowed'],
  ['TRACE', `TRACE /api/bounties HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 'method_not_allowed'],
  ['GET *', get('*'), 'not_found'],
  ['GET //', get('//'), 'not_found'],
  ['GET ///api/bounties', get('///api/bounties'), 'not_found'],
  ['a path that climbs', get('/api/../healthz'), 'not_found'],
  ['an encoded path that climbs', get('/api/%2e%2e/healthz'), 'not_found'],
  ['an absolute address without a path', get('http://other.example'), 'not_found'],
  ['another scheme', get('ftp://other.example/healthz'), 'not_found'],
  ['other letter case', get('/API/bounties'), 'not_found'],
  ['a trailing slash', get('/api/projects/proj_1/'), 'not_found'],
  ['an encoded slash', get('/api/bounties/bnt_1%2Fclaim'), 'bounty_not_found'],
  ['a lone surrogate in an id', get('/api/bounties/%EF%BF%BD'), 'bounty_not_found'],
  ['NUL in an id', get('/api/bounties/bnt_%00'), 'validation_failed'],
  ['NUL in the query', get('/api/bounties?project_id=%00'), 'validation_failed'],
  ['__proto__ in the query', get('/api/bounties?__proto__=1'), 'validation_failed'],
  ['constructor in the query', get('/api/bounties?constructor=1'), 'validation_failed'],
  ['a fragment', get('/api/bounties#x=1'), 'validation_failed'],
  ['an unknown expectation', post('Expect: magic\r\nContent-Length: 2\r\n', '{}'), 'validation_failed'],
]

describe('a hostile request gets one well-formed error', () => {
  test.each(refused)('%s', async (_name, bytes, code) => {
    const answers = await served.raw(bytes)
    expect(answers).toHaveLength(1)
    expectRawError(answers[0]!, code)
  })
})

describe('an odd but valid request is served', () => {
  test.each([
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 204],
    ['HTTP/1.0 without Host', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
    ['an absolute address', get('http://other.example/healthz'), 200],
    ['an upgrade nobody offers', get('/healthz', 'Upgrade: websocket\r\n'), 200],
    ['Accept-Version', get('/healthz', 'Accept-Version: 9.x\r\n'), 200],
    ['a GET with a body', `${get('/healthz', 'Content-Length: 3\r\n')}abc`, 200],
    ['broken escapes in the query', get('/api/bounties?q=%zz'), 200],
    ['a surrogate in the query', get('/api/bounties?q=%ed%a0%80'), 200],
  ])('%s', async (_name, bytes, status) => {
    const answers = await served.raw(bytes)
    expect(answers.map((answer) => answer.status)).toEqual([status])
    expect(answers[0]?.headers.get('x-request-id')).toMatch(/^req_/)
  })

  test('pipelined requests, in their order', async () => {
    const open = (target: string) => `GET ${target} HTTP/1.1\r\n${host}\r\n`
    const answers = await served.raw(open('/healthz') + open('/nothing') + get('/healthz'))
    expect(answers.map((answer) => answer.status)).toEqual([200, 404, 200])
  })
})

describe('slow clients', () => {
  test.each([
    ['headers', get('/healthz').slice(0, 40)],
    ['a body', post('Content-Length: 1000\r\n', '{"name":')],
  ])('408 request_timeout for %s without an end', async (_name, bytes) => {
    const { server } = served.app
    const { headersTimeout, requestTimeout } = server
    Object.assign(server, { headersTimeout: 50, requestTimeout: 50 })
    const answers = await served.raw(bytes)
    Object.assign(server, { headersTimeout, requestTimeout })
    expect(answers).toHaveLength(1)
    expectRawError(answers[0]!, 'request_timeout')
  })

  test('a client that goes away in the middle of its body leaves nothing behind', async () => {
    const socket = connect(served.port, '127.0.0.1')
    socket.write(post('Content-Length: 1000\r\n', '{"name":'))
    await once(socket, 'connect')
    socket.resetAndDestroy()
    expect((await served.api('GET', '/healthz')).status).toBe(200)
  })
})

test('a client that resets its connection after CONNECT ends nothing but that', async () => {
  for (let count = 0; count < 20; count++) {
    const socket = connect(served.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`CONNECT other.example:443 HTTP/1.1\r\n${host}\r\n`)
    socket.resetAndDestroy()
  }
  expect((await served.api('GET', '/healthz')).status).toBe(200)
})

test('after all of that the server is well and has logged no failure of its own', async () => {
  expect((await served.api('GET', '/readyz')).status).toBe(200)
  expect(served.lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
})
