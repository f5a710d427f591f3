import { describe, expect, test } from 'vitest'
import { ApiError, type BountiesGetResponse, Marketplace } from '../../../sdk/src/index.ts'
import { failure, json, startScriptedServer } from '../support/scripted-server.ts'

const body = { bounty: { id: 'bnt_1' } }
const server = await startScriptedServer()
const market = new Marketplace({ baseUrl: server.url, maxRetries: 0 })

test('withResponse gives body, response and request id of one request', async () => {
  server.script(json(200, body, { 'x-own': 'yes' }))
  const { data, response, requestId } = await market.bounties.get('bnt_1').withResponse()
  expect(data.bounty.id).toBe('bnt_1')
  expect([response.status, response.headers.get('x-own'), requestId]).toEqual([200, 'yes', 'req_test'])
  expect(server.received).toHaveLength(1)
})

test('asResponse gives a response whose body can still be read', async () => {
  server.script(json(201, body))
  const response = await market.bounties.get('bnt_1').asResponse()
  expect(response).toBeInstanceOf(Response)
  expect([response.status, await response.json()]).toEqual([201, body])
})

test('both belong to the last attempt', async () => {
  server.script(
    failure(503, 'overloaded', true, { 'retry-after': '0' }),
    json(200, body, { 'x-own': 'second' }),
  )
  const response = await market.bounties.get('bnt_1', { maxRetries: 1 }).asResponse()
  expect(response.headers.get('x-own')).toBe('second')
})

test('304 with `previous` gives the earlier body and the new response', async () => {
  server.script(json(200, body, { etag: '"1"' }), (response) =>
    response.writeHead(304, { 'x-request-id': 'req_2' }).end(),
  )
  const previous = await market.bounties.get('bnt_1')
  const { data, response } = await market.bounties.get('bnt_1', { previous }).withResponse()
  expect(data).toBe(previous)
  expect([response.status, data._request_id]).toEqual([304, 'req_2'])
})

describe('a failed call', () => {
  test.each(['withResponse', 'asResponse'] as const)('rejects %s with its ApiError', async (method) => {
    server.script(failure(404, 'bounty_not_found'))
    const error = await market.bounties
      .get('bnt_1')
      [method]()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'bounty_not_found', requestId: 'req_test' })
  })

  test('is reported to the caller only, not as an unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    server.script(failure(404, 'bounty_not_found'))
    await market.bounties
      .get('bnt_1')
      .asResponse()
      .catch(() => undefined)
    await market.bounties
      .get('bnt_1')
      .withResponse()
      .catch(() => undefined)
    await market.bounties.get('bnt_1').catch(() => undefined)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

test('a body has its request id, which is neither printed nor compared', async () => {
  server.script(json(200, body))
  const found = await market.bounties.get('bnt_1')
  expect(found._request_id).toBe('req_test')
  expect(JSON.stringify(found)).toBe(JSON.stringify(body))
  expect(Object.keys(found)).toEqual(['bounty'])
  // A body can be handed back where a method takes one.
  const plain: BountiesGetResponse = found
  expect(plain).toBe(found)
})

test('it is a promise like others: then, finally and Promise.all give ordinary ones', async () => {
  server.script(json(200, body))
  const call = market.bounties.get('bnt_1')
  expect(call).toBeInstanceOf(Promise)
  expect(call.then(() => 1).constructor).toBe(Promise)
  expect(call.finally(() => undefined).constructor).toBe(Promise)
  expect(await Promise.all([call, call.then(({ bounty }) => bounty.id)])).toEqual([body, 'bnt_1'])
})

describe('request', () => {
  test('sends what no method sends, as the methods do', async () => {
    server.script(failure(503, 'overloaded', true, { 'retry-after': '0' }), json(200, { bounty: {} }))
    const input = { path: { id: 'a/b' }, query: { x: 1, y: undefined }, body: { z: 2 } }
    const options = { idempotencyKey: 'own', maxRetries: 1 }
    expect(await market.request<{ bounty: object }>('POST /api/things/{id}', input, options)).toEqual({
      bounty: {},
    })
    const expected = { method: 'POST', path: '/api/things/a%2Fb?x=1', body: { z: 2 } }
    expect(server.received).toMatchObject([expected, expected])
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['own', 'own'])
  })
})
