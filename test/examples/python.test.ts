/** @module-tag python */
import { execFile, spawnSync } from 'node:child_process'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { startServer } from '../support/server.ts'
import { root } from './support.ts'

// The parts of examples/lifecycle.py that its run against the service does not reach.

const run = promisify(execFile)

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const now = new Date('2026-01-31T12:00:00Z')
const body = JSON.stringify({
  type: 'payout.confirmed',
  timestamp: now.toISOString(),
  data: { id: 'evt_1_1' },
})
const signed = {
  'webhook-id': 'evt_1_1',
  'webhook-timestamp': String(now.getTime() / 1000),
  'webhook-signature': new Webhook(secret).sign('evt_1_1', now, body),
}
const later = (seconds: number) => now.getTime() / 1000 + seconds

test('lifecycle.py believes only what the marketplace has signed lately', () => {
  const other = new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`).sign('evt_1_1', now, body)
  const both = `v1a,AAAA ${other} v1,%%% ${signed['webhook-signature']}`
  const deliveries = [
    { headers: signed, body, now: later(0) },
    { headers: signed, body, now: later(300) },
    { headers: { ...signed, 'webhook-signature': both }, body, now: later(0) },
    { headers: signed, body, now: later(301) },
    { headers: signed, body, now: later(-301) },
    { headers: signed, body: body.replace('payout', 'Payout'), now: later(0) },
    { headers: { ...signed, 'webhook-id': 'evt_1_2' }, body, now: later(0) },
    { headers: { ...signed, 'webhook-signature': other }, body, now: later(0) },
    { headers: { ...signed, 'webhook-signature': 'v1,' }, body, now: later(0) },
    { headers: { ...signed, 'webhook-timestamp': 'NaN' }, body, now: later(0) },
    { headers: {}, body, now: later(0) },
    { headers: { ...signed, 'webhook-timestamp': '²' }, body, now: later(0) },
    { headers: { ...signed, 'webhook-timestamp': '٣' }, body, now: later(0) },
    { headers: { ...signed, 'webhook-timestamp': '9'.repeat(5_000) }, body, now: later(0) },
  ]
  const input = deliveries.map((delivery) => JSON.stringify({ ...delivery, secret })).join('\n')
  const { stdout, stderr } = spawnSync('python3', [join(root, 'test/examples/python/verify.py')], { input })
  expect(String(stderr)).toBe('')
  const late = 'refused: webhook-timestamp is not within five minutes of now'
  const wrong = 'refused: webhook-signature does not fit body and secret'
  expect(String(stdout).trim().split('\n')).toEqual([
    ...Array(3).fill('evt_1_1'),
    ...Array(2).fill(late),
    ...Array(4).fill(wrong),
    ...Array(5).fill(late),
  ])
})

test('lifecycle.py repeats a request with its key until it has a response', async () => {
  const keys: unknown[] = []
  const error = { code: 'overloaded', message: 'Later.', retryable: true, request_id: 'req_1' }
  const printed = await sendTo(async (request, response) => {
    keys.push(request.headers['idempotency-key'])
    expect(await text(request)).toBe('{"name": "Grace"}')
    if (keys.length === 1) request.socket.destroy()
    else if (keys.length === 2) response.writeHead(502).end('a proxy')
    else if (keys.length === 3) response.writeHead(503, { 'retry-after': '0' }).end(JSON.stringify({ error }))
    else response.end('{"done": true}')
  })
  expect(printed).toBe("{'done': True}\n")
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(1)
  expect(String(keys[0]).length).toBeGreaterThanOrEqual(32)
})

test('lifecycle.py sends its API key to no other address', async () => {
  const other: unknown[] = []
  const elsewhere = await startServer((request, response) => {
    other.push(request.headers)
    response.end('{}')
  })
  const own: unknown[] = []
  const printed = await sendTo((request, response) => {
    own.push(request.headers.authorization)
    response.writeHead(302, { location: `${elsewhere.url.replace('127.0.0.1', 'localhost')}/` }).end()
  })
  await elsewhere.close()
  expect(printed).toBe('redirected\n')
  expect(own).toEqual(['Bearer bmk_own'])
  expect(other).toEqual([])
})

test('lifecycle.py waits by itself if Retry-After is no number', async () => {
  let requests = 0
  const error = { code: 'overloaded', message: 'Later.', retryable: true, request_id: 'req_1' }
  const printed = await sendTo((_, response) => {
    if (++requests > 1) return response.end('{"done": true}')
    response.writeHead(503, { 'retry-after': '²' }).end(JSON.stringify({ error }))
  })
  expect([printed, requests]).toEqual(["{'done': True}\n", 2])
})

test.each([
  ['that cannot succeed later', { retryable: false }, {}],
  ['whose Retry-After is too long', { retryable: true }, { 'retry-after': '3600' }],
])('lifecycle.py does not repeat a request %s', async (_, { retryable }, headers) => {
  let requests = 0
  const error = { code: 'rate_limited', message: 'No.', retryable, request_id: 'req_1' }
  const printed = await sendTo((_, response) => {
    requests++
    response.writeHead(429, headers).end(JSON.stringify({ error }))
  })
  expect([printed, requests]).toEqual(['rate_limited\n', 1])
})

/** What send.py prints against a server that responds like this. */
async function sendTo(respond: RequestListener): Promise<string> {
  const server = await startServer(respond)
  try {
    const program = join(root, 'test/examples/python/send.py')
    return (await run('python3', [program, server.url])).stdout
  } finally {
    await server.close()
  }
}
