import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { errorCatalog } from '../../../server/errors.ts'
import { eventTypes } from '../../../server/events/kinds.ts'
import { createExampleMarket } from '../../examples/support.ts'
import { readDocument } from '../../openapi/truth.ts'
import type { TestMarket } from '../../support/market.ts'

const run = promisify(execFile)
const document = readDocument()

let market: TestMarket
beforeAll(async () => {
  market = await createExampleMarket()
})

async function page(path: string) {
  const response = await fetch(market.baseUrl + path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const lines = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, { summary }]) => [`${method.toUpperCase()} ${path}`, summary ?? ''] as const,
  ),
)

/** Names of the MCP server's tools, of git, GitHub and JSON, and of commands. */
const otherNames =
  'next_actions find_bounties get_bounty register main head account refs null npm pip http whsec_'.split(' ')

const parts = ['errors', ...(document.tags ?? []).map(({ name }) => name)].map((name) => `/skill/${name}.md`)

test('/llms.txt and the parts of /skill.md name every operation; all pages hold this address', async () => {
  const texts = await Promise.all([...parts, '/llms.txt', '/skill.md'].map((path) => page(path)))
  for (const { status, headers } of texts) {
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/(plain|markdown); charset=utf-8$/)
  }
  const [errors, ...others] = texts.map(({ text }) => text)
  const [index, skill] = others.splice(-2)
  for (const [operation, summary] of lines)
    for (const text of [index, others.join()])
      expect(text).toMatch(new RegExp(`\`${literally(operation)}\`.*${literally(summary)}`))
  for (const code of Object.keys(errorCatalog)) expect(errors).toContain(`| \`${code}\` |`)
  for (const text of [index, skill, ...others]) expect(text).toContain(market.baseUrl)
  expect(others.join()).toContain('`POST /api/agents/register` (public): ')
  expect(others.join()).toContain('`POST /api/agents/me/wallet/export` (key only): ')
})

function literally(text: string): string {
  return text.replace(/[{}()[\].*+?^$|\\/]/g, '\\$&')
}

// Models load them whole; the address is longer elsewhere.
test('/skill.md has at most 15,300 bytes, and each of its parts 25,000, under a long address too', async () => {
  const longer = 'https://marketplace.of-some-company.example'
  for (const path of ['/skill.md', ...parts]) {
    const text = (await page(path)).text.replaceAll(market.baseUrl, longer)
    expect(Buffer.byteLength(text), path).toBeLessThanOrEqual(path === '/skill.md' ? 15_300 : 25_000)
  }
})

test('texts that explain standing by what a payout is worth say that each one counts where standing_min_eth is 0', async () => {
  const pages = await Promise.all(['/skill.md', ...parts].map((path) => page(path)))
  const described = JSON.stringify(document).match(/(?<="(?:description|meaning)":")(?:[^"\\]|\\.)*/g) ?? []
  const texts = [
    ...pages.flatMap(({ text }) => text.split(/\n(?=[-|#]|\n)/)),
    ...described.flatMap((text) => text.split('\\n')),
  ]
  const explaining = texts.filter(
    (text) =>
      /\bstanding\b(?!_)|founders have paid/.test(text) && /(sold|bought)( it)?( for| when| then)/.test(text),
  )
  expect(explaining.length).toBeGreaterThan(3)
  for (const text of explaining) expect(text).toMatch(/\b0\b/)
})

test('every link of /skill.md and its parts leads to a page', async () => {
  const links = new Set<string>()
  for (const path of ['/skill.md', ...parts])
    for (const [, link = ''] of (await page(path)).text.matchAll(/\]\(([^)]+)\)/g))
      links.add(new URL(link, market.baseUrl + path).href)
  expect([...links]).toEqual(expect.arrayContaining(parts.map((path) => market.baseUrl + path)))
  for (const link of links) expect((await page(new URL(link).pathname)).status, link).toBe(200)
})

test('the fields, codes and types that /skill.md and its parts name exist in the document', async () => {
  const known = new Set([...(JSON.stringify(document).match(/(?<=")[\w.]+(?=")/g) ?? []), ...otherNames])
  for (const path of ['/skill.md', ...parts]) {
    const [prose = ''] = (await page(path)).text.replace(/^```sh\n.*?^```$/gms, '').split('\n## Operations')
    const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
    const names = spans.flatMap((code) => code.match(/(?<=^|[?&])[a-z_]+(\.[a-z_]+)?(?![\w-])/g) ?? [])
    const unknown = names.filter((name) => !known.has(name) && !known.has(name.split('.')[0] ?? ''))
    expect(unknown, path).toEqual([])
  }
})

test('/skill/events.md names every type of event, and a field that has one value only names it', async () => {
  const { text } = await page('/skill/events.md')
  for (const type of eventTypes) expect(text).toContain(`\`${type}\``)
  expect((await page('/skill/bounties.md')).text).toContain('  - `method` (optional): squash\n')
})

test('404 for a part that there is none of', async () => {
  for (const path of ['/skill/steal.md', '/skill/errors', '/skill/'])
    expect((await page(path)).status).toBe(404)
})

test('the shell of /skill.md goes from registration to payment, a merge and a withdrawal', {
  tags: ['curl', 'git'],
}, async () => {
  const { text } = await page('/skill.md')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code)
  const home = await mkdtemp(join(tmpdir(), 'skill-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const env = { ...process.env, HOME: home, OUTSIDE: privateKeyToAddress(generatePrivateKey()) }
  const { stdout, stderr } = await run('sh', ['-eu', '-c', blocks.join('\n')], { env })
  expect(stdout).toContain('"available":"100000"')
  expect(stdout).toMatch(/"contributor_tx_hash":"0x[0-9a-f]{64}"/)
  expect(stdout).toMatch(/"status":"done".*"status":"approved"/)
  expect(stdout).toMatch(/"merged":true,"merge_commit_sha":"[0-9a-f]{40}"/)
  expect(stdout).toMatch(/"type":"payout\.confirmed".*"truncated":false/)
  expect(stdout).toMatch(/"withdrawable":"475".*"value_eth":"0"/)
  expect(stdout).toMatch(/"id":"wd_\w+".*"status":"(queued|sent|confirmed)"/)
  // An error would be written there.
  expect(stderr).toBe('')
  const keys = join(home, '.bounty-keys')
  expect(await readFile(keys, 'utf8')).toMatch(/^CONTRIBUTOR_KEY='?bmk_\w+'?$/m)
  expect((await stat(keys)).mode & 0o077).toBe(0)
})
