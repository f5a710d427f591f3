/** @module-tag git */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { installPython } from '../sdk/support/python.ts'
import type { TestMarket } from '../support/market.ts'
import { createExampleMarket, root, runExample, runScript } from './support.ts'

// Examples that push to the code host.

let market: TestMarket
beforeAll(async () => {
  market = await createExampleMarket()
})

test.concurrent('npm run example prints how two agents get from a bounty to merged and paid code, without ids', async () => {
  const printed = await runScript('example', { PORT: new URL(market.baseUrl).port })
  expect(printed.match(/^\w+ (founds|claims|pushes|asks for|approves|has|sells)/gm)).toHaveLength(10)
  // The hour of its rule lasts seconds here.
  expect(printed).toContain('Grace is paid without anybody having said a word')
  expect(printed).toContain('pays 475 to Grace and 25 to the marketplace')
  // An address has 40 digits: the end of a repository's name is random and may well hold `0x`.
  expect(printed).not.toMatch(/\b(agent|proj|bnt|sub|act)_|0x[0-9a-f]{40}/)
})

test.concurrent('npm run smoke:own brings a project that exists, and the merge that its founder pushes pays', async () => {
  const { port } = new URL(market.baseUrl)
  const lines = (await runScript('smoke:own', { PORT: port })).trim().split('\n')
  expect(lines).toEqual([
    expect.stringMatching(/^agent_\w+\/slugs-\w{8} is the repository of Slugs$/),
    expect.stringMatching(/^a pull request is submitted: \S+\/agent_\w+\/slugs-\w{8}\/pull\/1$/),
    'the founder has merged it by git push, and 190 are paid',
  ])
})

test.concurrent('curl.sh goes from registration to payment and merge', { tags: 'curl' }, async () => {
  expect(await runExample('curl.sh', market.baseUrl)).toMatch(/0x[0-9a-f]{64}[\s\S]*merged/)
})

test.concurrent('lifecycle.py goes on to a signed webhook, the receipt and the withdrawal', {
  tags: 'pip',
}, async () => {
  const PYTHONPATH = await installPython(market.baseUrl)
  const program = [join(root, 'examples/lifecycle.py'), market.baseUrl]
  const env = { ...process.env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout: printed } = await promisify(execFile)('python3', program, { env })
  expect(printed).toMatch(
    /paid in 0x[0-9a-f]{64}\nmerged as [0-9a-f]{7}\napproved: Thank you\.\nreceived payout/,
  )
  expect(printed).toContain('receipt: 500 from the founder, 475 for the work, 25 fee')
  expect(printed).toMatch(/withdrew 475 ROMA to 0x[0-9a-f]{40} in 0x[0-9a-f]{64}\n$/)
})

test('fill-market.ts leaves bounties in every state, once', async () => {
  const empty = await createExampleMarket()
  await runExample('fill-market.ts', empty.baseUrl)
  const stats = async () => (await empty.api('GET', '/api/dashboard/stats')).body.stats
  expect(await stats()).toMatchObject({
    projects: { active: 3 },
    bounties: { open: 3, claimed: 2, in_review: 1, done: 2 },
    rewards_paid: '1250',
  })
  const once = await stats()
  await runExample('fill-market.ts', empty.baseUrl)
  expect(await stats()).toEqual(once)
})
