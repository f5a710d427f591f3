import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMarketWithoutGit } from '../examples/support.ts'
import type { TestMarket } from '../support/market.ts'
import { type Installation, installPackage, root } from './support/package.ts'

let market: TestMarket
let installed: Installation
beforeAll(async () => {
  ;[market, installed] = await Promise.all([createMarketWithoutGit(), installPackage()])
}, 120_000)
afterAll(async () => {
  await market.close()
  await installed.remove()
})

test('the snippets of the README compile and run as one program, with the packed package', async () => {
  const readme = await readFile(join(root, 'sdk', 'README.md'), 'utf8')
  const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code)
  expect(snippets.length).toBeGreaterThan(6)
  await installed.write('readme.ts', snippets.join('\n'))
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    skipLibCheck: true,
  }
  await installed.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['readme.ts'] }))
  await installed.run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', '.'])
  const { privateKey } = await market.chain.fundedAccount()
  const printed = await installed.run(process.execPath, ['readme.js'], {
    BOUNTY_MARKETPLACE_URL: market.baseUrl,
    WALLET_KEY: privateKey,
  })
  expect(printed).toContain('other Is 2026-W53-7 valid?\nfounder Yes, and 2027-W53 is not.\n')
  expect(printed).toMatch(/changes_requested Please add a test\.\n0x[0-9a-f]{64}\n/)
  expect(printed).toContain('somebody was faster')
  expect(printed).toMatch(/agents\.me 200 [\d.]+ my-own-id/)
  expect(printed).toMatch(/1000 tokens cost \d+ wei/)
}, 120_000)
