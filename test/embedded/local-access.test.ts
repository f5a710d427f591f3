import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { type Address, createTestClient, http, publicActions } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findOrphans } from '../../server/embedded/chain/anvil.ts'
import { startChain } from '../../server/embedded/chain/local-chain.ts'
import { startGitHub } from '../../server/embedded/github/github.ts'
import { launchBrowser } from '../http/pages/browser.ts'
import { startServer } from '../support/server.ts'
import { directoryForFile } from './support.ts'

const log = { info: () => undefined, warn: () => undefined }
const victim: Address = '0x00000000000000000000000000000000000000AA'
const setBalance = {
  jsonrpc: '2.0',
  id: 1,
  method: 'anvil_setBalance',
  params: [victim, '0x1'],
}

let chain: Awaited<ReturnType<typeof startChain>>
let github: Awaited<ReturnType<typeof startGitHub>>
let nodeUrl: string
beforeAll(async () => {
  const directory = await directoryForFile()
  const repositories = await directoryForFile()
  chain = await startChain({ directory, port: 0, log, persist: false })
  github = await startGitHub({ directory: repositories, port: 0, organization: 'acme', log })
  nodeUrl = (await findOrphans(directory)).find(({ pid }) => pid === chain.pid)?.rpcUrl ?? ''
})
afterAll(() => Promise.all([chain.stop(), github.stop()]))

function client() {
  return createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions)
}

/** Sends exactly these headers, including `Host`, which `fetch` would replace. */
async function request(
  url: string,
  headers: Record<string, string>,
  options: { method?: string; body?: string } = {},
) {
  const sent = send(url, { method: options.method ?? 'GET', headers, agent: false })
  sent.end(options.body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return { status: response.statusCode, headers: response.headers }
}

/** One harmless request to each service, as a program sends it. */
const services: [string, (headers: Record<string, string>) => ReturnType<typeof request>][] = [
  [
    'the chain',
    (headers) =>
      request(
        chain.rpcUrl,
        { 'content-type': 'application/json', ...headers },
        { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}' },
      ),
  ],
  [
    'the REST interface',
    (headers) => request(`${github.apiUrl}/orgs/acme`, { authorization: 'Bearer any', ...headers }),
  ],
  ['the pages of repositories', (headers) => request(`${github.webUrl}/acme`, headers)],
]

describe.each(services)('%s', (_name, call) => {
  test.each(['127.0.0.1', 'localhost:1', 'LOCALHOST', '[::1]:1'])('200 for the host %s', async (host) => {
    expect((await call({ host })).status).toBe(200)
  })

  test.each([
    'rebound.example',
    'rebound.example:1',
    '127.0.0.1.rebound.example',
    'localhost.rebound.example',
    '10.0.0.1',
  ])('403 for the host %j, to which a page may have rebound its name', async (host) => {
    expect((await call({ host })).status).toBe(403)
  })

  test.each(['https://page.example', 'http://127.0.0.1:1', 'null'])(
    '403 for the origin %s',
    async (origin) => {
      const { status, headers } = await call({ origin })
      expect(status).toBe(403)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  test('200 for an extension of the browser, such as a wallet', async () => {
    const { status, headers } = await call({ origin: 'chrome-extension://abcdefghijklmnop' })
    expect(status).toBe(200)
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('the chain', () => {
  test('403 for a preflight', async () => {
    const headers = {
      origin: 'https://page.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    const response = await request(chain.rpcUrl, headers, { method: 'OPTIONS' })
    expect(response.status).toBe(403)
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('405 for a WebSocket, which browsers let every page open', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    }
    expect((await request(chain.rpcUrl, headers)).status).toBe(405)
  })

  test('502 after the node has ended', async () => {
    const other = await startChain({ directory: await directoryForFile(), port: 0, log, persist: false })
    process.kill(other.pid, 'SIGKILL')
    const response = await request(
      other.rpcUrl,
      { 'content-type': 'application/json' },
      { method: 'POST', body: '{}' },
    )
    expect(response.status).toBe(502)
    await other.stop()
  })
})

/** Every way in which a page can call an address, with the outcome of each. Runs in the browser. */
async function attack([address, body]: [string, string]): Promise<string[]> {
  const outcome = (attempt: Promise<unknown>) =>
    attempt.then(
      (value) => `done: ${value}`,
      () => 'refused',
    )
  const socket = new Promise((resolve, reject) => {
    try {
      const opened = new WebSocket(address.replace('http', 'ws'))
      opened.onmessage = ({ data }) => resolve(data)
      opened.onopen = () => opened.send(body)
      opened.onerror = reject
    } catch (error) {
      reject(error)
    }
  })
  const json = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const plain = { method: 'POST', body, headers: { 'content-type': 'text/plain' } }
  const read = (init: RequestInit) => fetch(address, init).then((response) => response.text())
  const attempts = [outcome(read(json)), outcome(read(plain)), outcome(socket)]
  for (const type of ['text/plain', 'application/json', '']) {
    await fetch(address, { method: 'POST', mode: 'no-cors', body: new Blob([body], { type }) }).catch(() => 0)
  }
  return Promise.all(attempts)
}

test('a web page of another origin cannot change the chain, neither at its address nor at that of its node', {
  tags: 'chromium',
}, async () => {
  const page = await startServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<p>Hi</p>'),
  )
  const browser = await launchBrowser()
  const tab = await browser.newPage()
  await tab.goto(page.url)
  expect(nodeUrl).toMatch(/^http:\/\/127\.\d+\.\d+\.\d+:\d+$/)
  for (const address of [chain.rpcUrl, nodeUrl]) {
    const outcomes = await tab.evaluate(attack, [address, JSON.stringify(setBalance)] as [string, string])
    expect(outcomes, address).toEqual(['refused', 'refused', 'refused'])
  }
  expect(await client().getBalance({ address: victim })).toBe(0n)
  // Proves that the page's request is valid: a program that sends it changes the chain.
  await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(setBalance),
  })
  expect(await client().getBalance({ address: victim })).toBe(1n)
})
