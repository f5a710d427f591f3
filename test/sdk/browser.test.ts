/** @module-tag chromium */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Webhook } from 'standardwebhooks'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { launchBrowser } from '../http/pages/browser.ts'
import { createTestMarket } from '../support/market.ts'
import { startServer } from '../support/server.ts'
import { root } from './support/package.ts'

const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`
const delivery = JSON.stringify({ data: { id: 'act_1', type: 'agent.registered' } })
const sentAt = new Date()
const headers = {
  'webhook-id': 'act_1',
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
  'webhook-signature': new Webhook(webhookSecret).sign('act_1', sentAt, delivery),
}

/** Runs in the browser: a write, an error, an iterator, a stream, a verification and an export. */
const program = (baseUrl: string) => `
import { Marketplace } from './index.ts'
import { verifyWebhook } from './webhooks/index.ts'
import { exportWallet } from './wallet/index.ts'

export async function run() {
  const market = new Marketplace({ baseUrl: ${JSON.stringify(baseUrl)} })
  const { agent } = await market.agents.register({ name: 'Browser' })
  const error = await market.withApiKey(agent.api_key + 'x').agents.me().catch((thrown) => thrown)
  const { agent: me } = await market.withApiKey(agent.api_key).agents.me()
  const first = await market.activity.iterate().next()
  const stream = market.withApiKey(agent.api_key).events.stream({ types: ['agent.registered'] })
  await stream.started()
  const { agent: other } = await market.agents.register({ name: 'Other' })
  let streamed
  for await (streamed of stream) if (streamed.agent_id === other.id) break
  const { data } = await verifyWebhook(new Headers(${JSON.stringify(headers)}), ${JSON.stringify(delivery)}, ${JSON.stringify(webhookSecret)})
  const walletKey = await exportWallet(market.withApiKey(agent.api_key))
  return {
    same: me.id === agent.id, code: error.code, requestId: error.requestId, type: first.value.type,
    wallet: agent.wallet_address, walletKey, streamed: streamed.type, verified: data.id,
  }
}
`

/**
 * Runs a script in a page of another origin than the service, and in a worker of that page.
 * @param script declares the global `sdk`, whose `run()` resolves with a value of JSON
 * @returns what `run()` gave in the page and in the worker
 */
async function runInPageAndWorker<Value>(script: string): Promise<[Value, Value]> {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  // Browsers give WebCrypto to https and to this machine only.
  const blank = await startServer((_request, response) => response.end('<!doctype html>'))
  await page.goto(blank.url)
  await page.addScriptTag({ content: script })
  const inPage = await page.evaluate<Value>('sdk.run()')
  const inWorker = await page.evaluate<Value>(`new Promise((resolve, reject) => {
    const source = ${JSON.stringify(`${script}; sdk.run().then(postMessage)`)}
    const worker = new Worker(URL.createObjectURL(new Blob([source])))
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = reject
  })`)
  return [inPage, inWorker]
}

/** A script of this program with all that it imports; it declares the global `sdk`. */
async function bundleProgram(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'sdk', 'src'), loader: 'ts' },
    bundle: true,
    format: 'iife',
    globalName: 'sdk',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

test('the client runs in a page of another origin and in a worker', async () => {
  const market = await createTestMarket({ databaseLoops: true })
  const script = await bundleProgram(program(market.baseUrl))
  const expected = {
    same: true,
    code: 'unauthorized',
    requestId: expect.stringMatching(/^req_/),
    type: 'agent.registered',
    streamed: 'agent.registered',
    verified: 'act_1',
    wallet: expect.stringMatching(/^0x/),
    walletKey: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  }
  const expectRun = (result: { wallet: string; walletKey: `0x${string}` }) => {
    expect(result).toEqual(expected)
    expect(privateKeyToAddress(result.walletKey)).toBe(result.wallet)
  }
  for (const result of await runInPageAndWorker<typeof expected>(script)) expectRun(result)
})
