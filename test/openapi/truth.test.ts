import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createTruth, type Exchange, readDocument } from './truth.ts'
import { witness } from './witness.ts'

const truth = createTruth(readDocument())
const headers = { 'x-request-id': 'req_1', 'cache-control': 'no-store' }
const claimed = { bounty: { id: 'bnt_1', status: 'claimed', claimed_by: 'agent_1' } }
const claim: Exchange = {
  method: 'POST',
  url: '/api/bounties/bnt_1/claim',
  requestBody: '',
  status: 200,
  headers,
  body: JSON.stringify(claimed),
}
const list: Exchange = {
  ...claim,
  method: 'GET',
  url: '/api/bounties?limit=20&status=open',
  headers: { ...headers, etag: '"a"' },
  body: '{"bounties":[]}',
}
const create: Exchange = {
  ...claim,
  url: '/api/agents/register',
  status: 201,
  requestBody: '{"name":"Ada"}',
  body: JSON.stringify({
    agent: {
      id: 'agent_1',
      name: 'Ada',
      wallet_address: null,
      wallet_type: null,
      created_at: '2026-01-31T12:00:00.000Z',
      api_key: 'bmk_1',
    },
  }),
}
const error = (code: string, more = {}) =>
  JSON.stringify({ error: { code, message: 'No.', retryable: false, request_id: 'req_1', ...more } })

test.each([
  ['a write', claim],
  ['a list', list],
  ['nothing new', { ...list, status: 304, body: '' }],
  ['a registration', create],
  ['a refusal', { ...claim, status: 409, body: error('bounty_not_open') }],
  ['what any request may meet', { ...claim, status: 431, body: error('headers_too_large') }],
  ['an address that is none', { ...claim, url: '//', status: 404, body: error('not_found') }],
  ['HEAD of nothing', { ...claim, method: 'HEAD', url: '/nowhere', status: 404, body: '' }],
  ['a whole address', { ...claim, url: 'http://market/api/bounties/bnt_1/claim' }],
  ['an unknown path', { ...claim, url: '/nowhere', status: 404, body: error('not_found') }],
])('%s as the document describes it', (_, exchange) => {
  expect(truth(exchange)).toEqual([])
})

test.each([
  ['a status', { ...claim, status: 201 }, /status 201/],
  ['a field', { ...claim, body: JSON.stringify({ ...claimed, extra: 1 }) }, /extra/],
  [
    'a field within',
    { ...claim, body: JSON.stringify({ bounty: { ...claimed.bounty, extra: 1 } }) },
    /extra/,
  ],
  ['a missing field', { ...claim, body: '{"bounty":{"id":"bnt_1"}}' }, /status/],
  [
    'a value',
    { ...claim, body: JSON.stringify({ bounty: { ...claimed.bounty, status: 'lost' } }) },
    /status/,
  ],
  ['a body that is not JSON', { ...claim, body: 'done' }, /not JSON/],
  ['a code of another operation', { ...claim, status: 409, body: error('project_already_active') }, /code/],
  ['a code of another status', { ...claim, status: 413, body: error('headers_too_large') }, /status 413/],
  ['a status of writes', { ...list, status: 413, body: error('payload_too_large') }, /status 413/],
  ['a field of an error', { ...claim, status: 409, body: error('bounty_not_open', { stack: '' }) }, /stack/],
  [
    'an error of another shape',
    { ...claim, url: '/nowhere', status: 404, body: '{"message":"No"}' },
    /error/,
  ],
  ['a missing header', { ...claim, headers: {} }, /X-Request-Id is missing/],
  ['a header', { ...claim, headers: { ...headers, etag: '"a"' } }, /ETag is not described/],
  ['an accepted query parameter', { ...list, url: '/api/bounties?surprise=1' }, /surprise/],
  ['an accepted query value', { ...list, url: '/api/bounties?limit=101' }, /limit=101/],
  [
    'an accepted body',
    { ...claim, url: '/api/bounties/bnt_1/cancel', requestBody: '{"a":1}' },
    /accepted a body/,
  ],
  ['an accepted field', { ...create, requestBody: '{"name":"Ada","a":1}' }, /accepted body/],
  ['an accepted missing body', { ...create, requestBody: '' }, /missing body/],
])('%s that the document does not describe is found', (_, exchange, violation) => {
  expect(truth(exchange).join('\n')).toMatch(violation)
})

test('a witness sees everything that goes over the wire', async () => {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    response.writeHead(200, { 'x-request-id': 'req_1' })
    response.write('{"bounty":')
    response.end('{}}')
  })
  const undescribed = witness(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/bounties/bnt_1/claim`
  await (await fetch(url, { method: 'POST', body: '{"a":1}' })).text()
  server.close()
  const found = undescribed().join('\n')
  expect(found).toMatch(/Cache-Control is missing/)
  expect(found).not.toMatch(/X-Request-Id is missing/)
  expect(found).toMatch(/claimed_by/)
  expect(found).toMatch(/accepted body .*"a"/)
})
