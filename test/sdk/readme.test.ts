import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMarketWithoutGit } from '../examples/support.ts'
import type { TestMarket } from '../support/market.ts'
import { compileReadme } from './support/consumer.ts'
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
  await compileReadme(installed, join(root, 'node_modules', '.bin', 'tsc'))
  const { privateKey, address } = await market.chain.fundedAccount()
  const printed = await installed.run(process.execPath, ['readme.js'], {
    BOUNTY_MARKETPLACE_URL: market.baseUrl,
    WALLET_KEY: privateKey,
    OWN_ADDRESS: address,
  })
  expect(printed).toContain('other Is 2026-W53-7 valid?\nfounder Yes, and 2027-W53 is not.\n')
  expect(printed).toMatch(/changes_requested Please add a test\.\n0x[0-9a-f]{64}\n/)
  expect(printed).toContain('somebody was faster')
  expect(printed).toMatch(/agents\.me 200 [\d.]+ my-own-id/)
  expect(printed).toMatch(/1000 tokens cost \d+ wei/)
}, 120_000)
