import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parseEther, parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import type { PageRequest } from '../../server/board/pages/definition.ts'
import { desk } from '../../server/board/pages/desk.ts'
import { localDollar } from '../../server/embedded/chain/dollar.ts'
import { relaySettings } from '../money/relays/support/relays.ts'
import { dollarsOn } from '../support/dollars.ts'
import { createTestMarket } from '../support/market.ts'
import { createRows } from '../support/rows.ts'
import type { TestBounty } from '../support/scenarios.ts'
import { until } from '../support/until.ts'

const market = await createTestMarket({ settings: relaySettings })
const { api, baseUrl, db } = market
const dollars = dollarsOn(market)
const project = await dollars.project()
const { key } = project.founder
const rows = createRows(db)
const twin = async (path: string) => (await fetch(baseUrl + path)).text()
const day = 86_400_000

/** A bounty for which the chain has locked 20 dollars. */
async function funded(): Promise<TestBounty> {
  const bounty = await market.openBounty({ project })
  expect((await dollars.lock(bounty)).status).toBe(201)
  await until(dollars.is(bounty, 'locked'))
  return bounty
}

/** A bounty with a stored deposit of 20 dollars. */
async function stored(fields: object): Promise<TestBounty> {
  const bounty = await market.openBounty({ project })
  await rows.deposit({ bounty_id: bounty.id, amount: '20000000', ...fields })
  return bounty
}
const lockedUntil = (days: number) => ({
  status: 'locked' as const,
  locked_until: new Date(Date.now() + days * day),
  fund_tx: `0x${'7'.repeat(64)}`,
})

/** A bounty in review for which the chain has locked 20 dollars. */
async function inReview() {
  const bounty = await funded()
  const claimant = await market.register()
  const step = async (name: string, body?: object) => (await market.act(bounty, name, claimant, body)).body
  await step('claim')
  const { submission } = await step('submit', { pr_url: await market.pullRequest(project) })
  return { ...bounty, claimant, submissionId: submission.id as string }
}

/** The line of a list that is about a bounty. */
const lineOf = (page: string, { id }: { id: string }) =>
  page.split('\n').find((line) => line.includes(`(/bounties/${id}.md)`)) ?? ''
const lineOfPayouts = (page: string, id: string) =>
  page.split('\n').find((line) => line.includes(`(/payments/${id}.md)`)) ?? ''
const lineOfList = async (bounty: TestBounty) =>
  lineOf(await twin(`/index.md?project_id=${project.id}`), bounty)

test('lists, project, front page and feed show the dollars that are locked before the tokens', async () => {
  const bounty = await funded()
  const pages = [
    `/index.md?project_id=${project.id}`,
    `/projects/${project.id}.md`,
    '/index.md',
    '/index.md?sort=dollars',
  ]
  for (const page of pages) {
    const line = lineOf(await twin(page), bounty)
    expect(line, page).toMatch(/\*\* · 19 dollars · nobody buys CALC yet · 95 CALC/)
  }
  expect(await twin(`/bounties.atom?project_id=${project.id}`)).toContain(
    '20 dollars and 100 CALC for work on',
  )
})

test('what is on its way, expires soon or has failed counts in no list and stands beside no reward', async () => {
  const failed = {
    status: 'failed',
    error_code: 'authorization_expired',
    error: 'It was not sent in time.',
  } as const
  const others = [await stored({}), await stored(lockedUntil(12)), await stored(failed)]
  const known = await stored(lockedUntil(150))
  expect(await lineOfList(known)).toContain('· 19 dollars · ')
  for (const bounty of others)
    expect(await lineOfList(bounty)).toMatch(/\*\* · nobody buys CALC yet · 95 CALC/)
  const [queued, expiring, none] = await Promise.all(others.map(({ id }) => twin(`/bounties/${id}.md`)))
  expect(queued).toContain('- Dollars: 20 dollars, queued')
  expect(expiring).toContain('- That is: too soon for work that begins now')
  expect(none).not.toContain('dollar')
  for (const page of [queued, expiring]) expect(page).not.toContain('19 dollars')
})

test('a bounty says what is locked, until when, in which transaction, and what is left after the fee; its timeline, who locked it', async () => {
  const bounty = await funded()
  const { fund_tx, locked_until } = (await dollars.read(bounty)).dollars
  const page = await twin(`/bounties/${bounty.id}.md`)
  const moment = `${locked_until.slice(0, 10)} ${locked_until.slice(11, 16)} UTC`
  expect(page).toContain('- 19 dollars\n- nobody buys CALC yet · 95 CALC (100 − 5 % fee)\n')
  for (const fact of [
    'Dollars: 20 dollars, locked',
    `Locked until: ${moment}`,
    `Transaction of the dollars: \`${fund_tx}\``,
  ])
    expect(page).toContain(`- ${fact}\n`)
  expect(page).toContain(`The founder locked 20 dollars until ${moment} (revision 2) in \`${fund_tx}\``)
})

test('dollars that went back are said to have gone back, on the page and in the timeline', async () => {
  const bounty = await funded()
  expect((await api('POST', `/api/bounties/${bounty.id}/cancel`, { key })).status).toBe(200)
  await until(dollars.is(bounty, 'refunded'))
  const { end_tx } = (await dollars.read(bounty)).dollars
  const page = await twin(`/bounties/${bounty.id}.md`)
  expect(page).toContain(`20 dollars that were locked for it went back to the founder in \`${end_tx}\``)
  expect(page).not.toContain('dollars and')
})

test('the desk learns what an approval would pay in dollars, as the chain shows it', async () => {
  const work = await inReview()
  const { body } = await api('GET', `/submissions/${work.submissionId}/payee`, { key })
  expect(body.dollars).toEqual({ gross: '20', fee: '1', net: '19' })
})

describe('by the commands of pages', { tags: 'curl' }, () => {
  const run = async (command: string, env: Record<string, string> = {}) =>
    (await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...env } })).stdout

  test('anybody finds both legs of a payment in its transaction, and the receipt names both', async () => {
    const { id, submissionId, claimant } = await inReview()
    expect((await market.act({ id }, 'approve', { key }, {})).status).toBe(200)
    const page = await twin(`/payments/${submissionId}.md`)
    expect(page).toMatch(/^# 19 dollars and 95 CALC paid to/m)
    expect(page).toContain('20 dollars and 100 CALC − fee 1 dollar and 5 CALC = 19 dollars and 95 CALC')
    expect(page).toContain(localDollar)
    const html = await twin(`/payments/${submissionId}`)
    const printed = /without leading zeros.*?<\/dl>/s.exec(html)?.[0].matchAll(/<code>(\w+)<\/code>/g) ?? []
    const command = /^ {4}(curl .*)$/m.exec(page)?.[1] ?? ''
    const values = (await run(command.replace('https://YOUR_NODE', market.chain.rpcUrl)))
      .trimEnd()
      .split('\n')
    expect(values).toEqual([...printed].map(([, value]) => value))
    const amounts = [parseEther('95'), parseEther('5'), parseUnits('20', 6), parseUnits('1', 6)]
    expect(values.slice(-4)).toEqual(amounts.map((amount) => amount.toString(16)))
    expect(values[2]).toBe(BigInt(claimant.wallet_address as string).toString(16))
    expect(lineOfPayouts(await twin('/payments.md'), submissionId)).toMatch(
      /Paid to .* · 19 dollars · .* · 95 CALC/,
    )
    expect(await twin('/payouts.atom')).toContain('19 dollars and 95 CALC for')
    const history = await twin(`/bounties/${id}.md`)
    expect(history).toMatch(/The chain confirmed the payment to .*: with the tokens 19 dollars/)
    expect(history).toContain('- Dollars: 20 dollars, paid\n')
  })

  test('a founder locks dollars by the call on the page that says how to post a bounty', async () => {
    const bounty = await market.openBounty({ project })
    const lock = /^ {4}(curl .* POST .*\$BOUNTY\/dollars .*)$/m.exec(await twin('/desk.md'))?.[1] ?? ''
    expect(JSON.parse(await run(lock, { BOUNTY: bounty.id, KEY: key })).dollars).toMatchObject({
      bounty_id: bounty.id,
      amount: '20',
    })
    await until(dollars.is(bounty, 'locked'))
  })
})

test('only beside the local chain a page has the call that gives 1,000 of its dollars, and without a coin there is no call', async () => {
  const pageWith = async (site: object) => {
    const request = { path: '/desk', baseUrl, site } as unknown as PageRequest
    return JSON.stringify(await desk.make(request))
  }
  const local = { hasDollars: () => true, isEmbedded: true, rpcUrl: 'http://127.0.0.1:8545' }
  expect(await pageWith(local)).toContain('curl -sS -X POST http://127.0.0.1:8545/dollars/$WALLET')
  expect(await pageWith({ ...local, isEmbedded: false })).not.toContain('/dollars/$WALLET')
  expect(await pageWith({ ...local, hasDollars: () => false })).not.toContain('dollars')
})
