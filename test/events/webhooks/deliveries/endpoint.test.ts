import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createEndpoints } from '../../../../server/events/webhooks/deliveries/endpoint.ts'
import { certificatePath, startReceiver } from './support/receiver.ts'

const message = { headers: { 'webhook-id': 'act_1' }, body: '{"type":"x"}' }
const local = createEndpoints({ allowLoopback: true })
const impatient = createEndpoints({ allowLoopback: true, timeoutMs: 300 })
const strict = createEndpoints({ allowLoopback: false })
/** Endpoints for which every name has these addresses. */
const resolving = (...addresses: string[]) =>
  createEndpoints({ allowLoopback: true, timeoutMs: 300, lookup: async () => addresses })

// From the registries of IANA for special-purpose addresses.
const notPublic = [
  ['this network', '0.0.0.0'],
  ['private', '10.1.2.3'],
  ['shared', '100.64.0.1'],
  ['loopback', '127.0.0.1'],
  ['loopback, not .1', '127.255.0.9'],
  ['link-local, where clouds keep credentials', '169.254.169.254'],
  ['private', '172.31.255.1'],
  ['private', '192.168.0.1'],
  ['IETF', '192.0.0.8'],
  ['documentation', '203.0.113.7'],
  ['benchmarks', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified v6', '::'],
  ['loopback v6', '::1'],
  ['v4-mapped loopback', '::ffff:127.0.0.1'],
  ['v4-mapped private', '::ffff:10.0.0.1'],
  ['v4-compatible', '::7f00:1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64 of a site', '64:ff9b:1::a00:1'],
  ['discarded', '100::1'],
  ['Teredo', '2001::1'],
  ['documentation v6', '2001:db8::1'],
  ['6to4 of a private address', '2002:a00:1::1'],
  ['unique local', 'fd12:3456::1'],
  ['link-local v6', 'fe80::1'],
  ['site-local', 'fec0::1'],
  ['multicast v6', 'ff02::1'],
] as const

test.each(notPublic)(
  '%s addresses are refused in a URL and as what a name leads to: %s',
  async (_, address) => {
    const host = address.includes(':') ? `[${address}]` : address
    expect(strict.refusal(`https://${host}/`)).toBe('its host is not public')
    const result = await resolving('93.184.216.34', address).deliver('https://agent.example/', message)
    expect(result).toMatchObject({ failure: 'address_refused', status: null })
  },
)

test.each([
  ['https://2130706433/', 'its host is not public'],
  ['https://0x7f000001/', 'its host is not public'],
  ['https://0177.0.0.1/', 'its host is not public'],
  ['https://127.1/', 'its host is not public'],
  ['https://127.0.0.1./', 'its host is not public'],
  ['https://%31%32%37.0.0.1/', 'its host is not public'],
  ['https://①②⑦.0.0.1/', 'its host is not public'],
  ['https://localhost/', 'its host is not public'],
  ['http://agent.example/', 'it does not begin with https://'],
  ['ftp://agent.example/', 'it does not begin with https://'],
  ['https://agent.example:8443/', 'its port is not 443'],
  ['https://user@agent.example/', 'it holds a user name or a password'],
  ['https://:password@agent.example/', 'it holds a user name or a password'],
  ['https://agent.example/#', 'it has a fragment'],
  ['agent.example', 'it is not a URL'],
  [' https://agent.example/', 'it is not a URL'],
  ['https://agent.example/\n', 'it is not a URL'],
  ['https://agent.example/\u0001', 'it is not a URL'],
  ['HTTPS://Agent.example/', undefined],
  ['https://agent.example/hook?a=b', undefined],
  ['https://agent.example:443/', undefined],
  ['https://93.184.216.34/', undefined],
  ['https://[2606:2800:220:1::1]/', undefined],
])('what is refused about %s: %s', async (url, reason) => {
  expect(strict.refusal(url)).toBe(reason)
  if (reason) expect(await strict.deliver(url, message)).toMatchObject({ failure: 'address_refused' })
})

test.each(['http://localhost:8080/', 'https://127.0.0.1:1/', 'http://[::1]:3000/'])(
  'this machine can be allowed, and nothing else without https: %s',
  (url) => {
    expect(local.refusal(url)).toBeUndefined()
    expect(local.refusal('http://192.168.0.1/')).toBe('it does not begin with https://')
    expect(local.refusal('https://192.168.0.1/')).toBe('its host is not public')
  },
)

test('a name server that gives a public address to the check and loopback to the connection reaches nothing', async () => {
  const receiver = await startReceiver({ tls: true })
  const { port } = new URL(receiver.url)
  // The first one is public, but returned to its registry, so nobody responds there.
  const addresses = [['3ffe::1'], ['127.0.0.1']]
  let asked = 0
  const rebinding = createEndpoints({
    allowLoopback: true,
    timeoutMs: 300,
    lookup: async () => addresses[asked++] ?? ['127.0.0.1'],
  })
  const first = await rebinding.deliver('https://rebind.example/', message)
  expect(first.failure).not.toBeNull()
  expect(asked).toBe(1)
  expect(await rebinding.deliver('https://rebind.example/', message)).toMatchObject({
    failure: 'address_refused',
  })
  expect(asked).toBe(2)
  expect(await rebinding.deliver(`https://rebind.example:${port}/`, message)).toMatchObject({
    failure: 'address_refused',
  })
  expect(receiver.received).toEqual([])
})

test('a message arrives with its headers and the name of the service', async () => {
  const receiver = await startReceiver()
  const result = await local.deliver(`${receiver.url}?token=1`, message)
  expect(result).toEqual({
    failure: null,
    status: 204,
    durationMs: expect.any(Number),
    retryAfterSeconds: null,
  })
  expect(receiver.received).toMatchObject([
    {
      url: '/hook?token=1',
      body: '{"type":"x"}',
      headers: {
        'webhook-id': 'act_1',
        'content-type': 'application/json',
        'content-length': '12',
        'user-agent': expect.stringMatching(/^bounty-marketplace\/\d/),
        connection: 'close',
      },
    },
  ])
})

type Respond = (response: ServerResponse) => void
/** Writes until the other side closes the connection. */
const endless: Respond = (response) => {
  response.writeHead(200)
  response.on('error', () => undefined)
  const chunk = Buffer.alloc(65_536)
  const write = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}
/** Says that it works on it until the other side closes the connection. */
const processing: Respond = ({ socket }) => {
  const timer = setInterval(() => socket?.write('HTTP/1.1 102 x\r\n\r\n'), 1)
  socket?.on('error', () => undefined).on('close', () => clearInterval(timer))
}
test.each<[string, Respond, { failure: string | null; status: number | null }]>([
  ['201', (response) => response.writeHead(201).end('made'), { failure: null, status: 201 }],
  ['an endless body', endless, { failure: null, status: 200 }],
  [
    'a body that stops',
    (response) => void response.writeHead(200).write('a'),
    { failure: null, status: 200 },
  ],
  ['404', (response) => response.writeHead(404).end(), { failure: 'status', status: 404 }],
  ['500', (response) => response.writeHead(500).end(), { failure: 'status', status: 500 }],
  ['410', (response) => response.writeHead(410).end(), { failure: 'gone', status: 410 }],
  ['nothing', () => undefined, { failure: 'timeout', status: null }],
  [
    'slow headers',
    ({ socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket?.write('x-more: 1\r\n'), 30)
      socket?.on('error', () => undefined).on('close', () => clearInterval(timer))
    },
    { failure: 'timeout', status: null },
  ],
  ['endless news that it works', processing, { failure: 'connection', status: null }],
  ['a broken connection', ({ socket }) => socket?.destroy(), { failure: 'connection', status: null }],
  ['another protocol', ({ socket }) => socket?.end('SSH-2.0-x\r\n'), { failure: 'connection', status: null }],
  [
    'huge headers',
    ({ socket }) => socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1_000_000)}\r\n\r\n`),
    { failure: 'connection', status: null },
  ],
  [
    'a switch of protocols',
    ({ socket }) => socket?.write('HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    { failure: 'connection', status: null },
  ],
])('a receiver that responds with %s', async (_, respond, result) => {
  const receiver = await startReceiver()
  receiver.respond = (_request, response) => respond(response)
  // A busy machine does not respond to the others in time, either.
  const { deliver } = result.failure === 'timeout' ? impatient : local
  expect(await deliver(receiver.url, message)).toMatchObject(result)
})

test('a redirect is a failure and nothing is sent to its target', async () => {
  const target = await startReceiver()
  const receiver = await startReceiver()
  receiver.respond = (_request, response) => void response.writeHead(307, { location: target.url }).end()
  expect(await local.deliver(receiver.url, message)).toMatchObject({ failure: 'redirect', status: 307 })
  expect(target.received).toEqual([])
})

test.each([
  ['120', 120],
  ['999999', 86_400],
  ['in two hours', 7200],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['soon', null],
])('Retry-After: %s', async (header, seconds) => {
  const receiver = await startReceiver()
  receiver.respond = (_request, response) => {
    const later = new Date(Date.now() + 7_200_000).toUTCString()
    response.writeHead(503, { 'retry-after': header === 'in two hours' ? later : header }).end()
  }
  const { retryAfterSeconds } = await local.deliver(receiver.url, message)
  if (seconds === null) expect(retryAfterSeconds).toBeNull()
  else expect(Math.abs((retryAfterSeconds ?? -100) - seconds)).toBeLessThan(30)
})

test('of the response to a challenge 4 KiB are read, and a body that stops is a timeout', async () => {
  const receiver = await startReceiver()
  receiver.respond = (_request, response) => void response.end('{"challenge":"ü"}')
  expect(await local.challenge(receiver.url, message)).toMatchObject({
    failure: null,
    text: '{"challenge":"ü"}',
  })
  receiver.respond = (_request, response) => endless(response)
  expect((await local.challenge(receiver.url, message)).text).toHaveLength(4096)
  receiver.respond = (_request, response) => void response.writeHead(200).write('a')
  expect(await impatient.challenge(receiver.url, message)).toMatchObject({ failure: 'timeout' })
})

test('certificates are verified, also where the environment says otherwise', async () => {
  const receiver = await startReceiver({ tls: true })
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  onTestFinished(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  for (const url of [receiver.url, receiver.url.replace('https', 'HTTPS')])
    expect(await local.deliver(url, message)).toMatchObject({ failure: 'tls', status: null })
  const plain = await startReceiver()
  expect(await local.deliver(plain.url.replace('http', 'https'), message)).toMatchObject({ failure: 'tls' })
  expect(receiver.received).toEqual([])
})

test('a certificate of an authority that the operator trusts is accepted for its own name only', async () => {
  const receiver = await startReceiver({ tls: true })
  const script = `
    import { createEndpoints } from './server/events/webhooks/deliveries/endpoint.ts'
    const endpoints = createEndpoints({ allowLoopback: true })
    const message = { headers: {}, body: '{}' }
    const named = await endpoints.deliver('${receiver.url}', message)
    const other = await endpoints.deliver('${receiver.url.replace('localhost', '127.0.0.1')}', message)
    console.log(JSON.stringify([named.failure, other.failure]))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    {
      cwd: join(import.meta.dirname, '../../../..'),
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificatePath },
    },
  )
  expect(JSON.parse(stdout)).toEqual([null, 'tls'])
  expect(receiver.received).toHaveLength(1)
})

test('a proxy in the environment is not used', async () => {
  const receiver = await startReceiver()
  const proxy = await startReceiver()
  for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY']) {
    const before = process.env[name]
    process.env[name] = new URL(proxy.url).origin
    onTestFinished(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
  expect(await local.deliver(receiver.url, message)).toMatchObject({ status: 204 })
  expect(proxy.received).toEqual([])
})

test('names that are not there, or whose servers are silent, fail as dns and in time', async () => {
  const missing = createEndpoints({ allowLoopback: false, lookup: async () => [] })
  const unknown = { failure: 'dns', isUnknownHost: true }
  expect(await missing.challenge('https://agent.example/', message)).toMatchObject(unknown)
  const failing = createEndpoints({
    allowLoopback: false,
    lookup: () => Promise.reject(new Error('no server')),
  })
  const unsure = await failing.challenge('https://agent.example/', message)
  expect(unsure).toMatchObject({ failure: 'dns' })
  expect(unsure.isUnknownHost ?? false).toBe(false)
  const silent = createEndpoints({
    allowLoopback: false,
    timeoutMs: 100,
    lookup: () => new Promise(() => undefined),
  })
  expect(await silent.deliver('https://agent.example/', message)).toMatchObject({ failure: 'timeout' })
})

test('a port on which nobody listens is a failed connection', async () => {
  expect(await local.deliver('http://127.0.0.1:1/', message)).toMatchObject({ failure: 'connection' })
})

test('a signal ends an attempt, which has no result then', async () => {
  const receiver = await startReceiver()
  const end = new AbortController()
  receiver.respond = () => end.abort(new Error('the process ends'))
  await expect(local.deliver(receiver.url, { ...message, signal: end.signal })).rejects.toThrow(
    'the process ends',
  )
})
