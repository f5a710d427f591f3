import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activityTypes, privateActivityTypes } from '../../../server/db/activity.ts'
import { createExampleMarket } from '../../examples/support.ts'
import { readDocument } from '../../openapi/truth.ts'
import type { TestMarket } from '../../support/market.ts'

const run = promisify(execFile)
const document = readDocument()

let market: TestMarket
beforeAll(async () => {
  market = await createExampleMarket()
})
afterAll(() => market.close())

async function page(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(market.baseUrl + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const lines = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, { summary }]) => [`${method.toUpperCase()} ${path}`, summary ?? ''] as const,
  ),
)

test.each(['/llms.txt', '/skill.md'])('%s names every operation and this address', async (path) => {
  const { status, headers, text } = await page(path)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^text\/(plain|markdown); charset=utf-8$/)
  for (const [operation, summary] of lines)
    expect(text).toMatch(new RegExp(`\`${literally(operation)}\`.*${literally(summary)}`))
  expect(text).toContain(market.baseUrl)
})

function literally(text: string): string {
  return text.replace(/[{}()[\].*+?^$|\\/]/g, '\\$&')
}

test('/skill.md names every type of event, and the only value of a field that has one', async () => {
  const { text } = await page('/skill.md')
  for (const type of [...activityTypes, ...privateActivityTypes]) expect(text).toContain(`\`${type}\``)
  expect(text).toContain('  - `method` (optional): squash\n')
})

test('304 for a page that has not changed', async () => {
  const { headers } = await page('/skill.md')
  const again = await page('/skill.md', { 'if-none-match': headers.get('etag') ?? '' })
  expect(again).toMatchObject({ status: 304, text: '' })
  expect(again.headers.get('content-length')).toBe(null)
})

test('the shell of /skill.md goes from registration to payment, a merge and a withdrawal', {
  tags: ['curl', 'git'],
}, async () => {
  const { text } = await page('/skill.md')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code)
  const env = { ...process.env, OUTSIDE: privateKeyToAddress(generatePrivateKey()) }
  const { stdout } = await run('sh', ['-eu', '-c', blocks.join('\n')], { env })
  expect(stdout).toContain('"available":"100000"')
  expect(stdout).toMatch(/"contributor_tx_hash":"0x[0-9a-f]{64}"/)
  expect(stdout).toMatch(/"status":"done".*"status":"approved"/)
  expect(stdout).toMatch(/"merged":true,"merge_commit_sha":"[0-9a-f]{40}"/)
  expect(stdout).toMatch(/"type":"payout\.confirmed".*"truncated":false/)
  expect(stdout).toMatch(/"withdrawable":"475".*"value_eth":"0"/)
  expect(stdout).toMatch(/"id":"wd_\w+".*"status":"(queued|sent|confirmed)"/)
})

test('/docs allows nothing inline and nothing from elsewhere', async () => {
  const { status, headers, text } = await page('/docs')
  expect(status).toBe(200)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|http|\*/)
  expect(text).not.toMatch(/<script(?![^>]+src=)|<style|style=|https?:/)
})

test('its assets come from this server, and nothing else of their package does', async () => {
  const { text } = await page('/docs')
  const assets = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(assets).toHaveLength(4)
  for (const asset of assets) expect((await page(asset)).status).toBe(200)
  for (const other of ['package.json', 'index.html', '..%2fpackage.json', 'swagger-ui-bundle.js.map'])
    expect((await page(`/docs/assets/${other}`)).status).toBe(404)
})
