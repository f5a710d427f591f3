import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestMarket } from '../support/market.ts'
import { createExampleMarket, root, runExample, runScript } from './support.ts'

const run = promisify(execFile)

let market: TestMarket
beforeAll(async () => {
  market = await createExampleMarket({ PLATFORM_FEE_BPS: '333' })
})
afterAll(() => market.close())

test('npm run example pays both founders’ bounties to the last base unit, at PORT', async () => {
  const printed = await runScript('example', { PORT: new URL(market.baseUrl).port })
  expect(printed).toMatch(/contributor 0 -> 483\.35\n/)
  expect(printed).toMatch(/treasury {4}0 -> 16\.65\n/)
  expect(printed).toMatch(/offers 101000 tokens, 1000 more than its bounty reserve/)
  expect(printed).toMatch(/founder {5}101000 -> 0\n/)
})

test('lifecycle.ts fails if a figure is off', async () => {
  const liar = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method, url, headers } = request
    const answer = await fetch(market.baseUrl + url, {
      method,
      headers: Object.entries(headers).filter(([name]) => /^(authorization|content-type)$/.test(name)) as [
        string,
        string,
      ][],
      body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
    })
    const text = await answer.text()
    response.writeHead(answer.status).end(text.replace('"platform_bps":333', '"platform_bps":334'))
  })
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  const { port } = liar.address() as AddressInfo
  const failed = await runExample('lifecycle.ts', `http://127.0.0.1:${port}`).catch((error) => error)
  liar.close()
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('4 figures are wrong') })
})

test('founder.ts and contributor.ts work for each other', async () => {
  const founder = runExample('founder.ts', market.baseUrl)
  const contributors = await Promise.all([
    runExample('contributor.ts', market.baseUrl),
    runExample('contributor.ts', market.baseUrl),
  ])
  for (const printed of contributors) expect(printed).toMatch(/^claimed bnt_.*\nsubmitted http.*\npaid to 0x/)
  const printed = await founder
  expect(printed).toContain('ISO weeks: paid in 0x')
  expect(printed).toContain('Ordinal dates: paid in 0x')
  expect(printed).toContain('every bounty is done')
})

test('errors.ts explains each kind of failure', async () => {
  const lines = (await runExample('errors.ts', market.baseUrl)).trim().split('\n')
  expect(lines).toEqual([
    'a field that is not allowed: name must not be blank; wallet_address must be 0x followed by 40 hex characters',
    'a key that is not one: register again, the key is lost',
    'a bounty that is not there: bounty_not_found, look at the id',
    expect.stringMatching(/^dashboard\.stats: attempt 1 failed, next in \d+ ms$/),
    'a service that is not there: dashboard.stats: no response from http://127.0.0.1:1',
    'giving up: changed my mind',
  ])
})

test.each(['rest.mjs', 'curl.sh'])(
  '%s goes from registration to payment',
  async (name) => {
    expect(await runExample(name, market.baseUrl)).toMatch(/0x[0-9a-f]{64}/)
  },
  60_000,
)

test('the curl of the README goes from registration to payment, and its last command repeats to the same response', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const block = blocks.find((code) => code.includes('/api/agents/register')) ?? ''
  const at = block.lastIndexOf('\ncurl ')
  const [before, last] = [block.slice(0, at), block.slice(at)]
  expect(before).toContain('B=http://127.0.0.1:3000\n')
  const script = [before.replace(/^B=.*$/m, `B=${market.baseUrl}`), 'echo', last, 'echo', last].join('\n')
  const { stdout } = await run('sh', ['-eu', '-c', script])
  const [repeated, first] = stdout.trim().split('\n').reverse()
  expect(JSON.parse(first ?? '')).toMatchObject({
    status: 'done',
    contributor_tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect(repeated).toBe(first)
}, 60_000)
