/**
 * @module-tag chromium
 * @module-tag git
 */
import { type Address, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveDollars } from '../../server/embedded/chain/dollar.ts'
import { launchBrowser } from '../http/pages/browser.ts'
import { dollarsOn } from '../support/dollars.ts'
import { until } from '../support/until.ts'
import { createDeskMarket, sitDown } from './support/desk.ts'

let desk: Awaited<ReturnType<typeof createDeskMarket>>
let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  desk = await createDeskMarket()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await desk?.close()
})
const atDesk = (key?: string, ready?: string) => sitDown(browser, desk.market.baseUrl, key, ready)

test('a founder approves, which pays once it is confirmed, and merges that commit', async () => {
  const { founder, submitted, submission, pull, status, balance } = desk
  const work = await submitted('Division')
  const { head } = work
  const { page, unfold, press, said, badge, sent, complaints, axe, look, close } = await atDesk(founder.key)
  expect(await page.getByText('Desk of').textContent()).toBe(
    `Desk of Founder${founder.id.slice(-4)} · Calculator`,
  )
  expect(await page.locator('main > .note:visible').count()).toBe(0)
  expect(await look('shifts()')).toBe(0)
  const by = `Author of Division${work.contributor.id.slice(-4)}`
  expect(await page.locator('summary', { hasText: 'Division' }).textContent()).toBe(
    `Division 100 CALC by ${by} in review`,
  )
  await unfold(work)
  expect(await page.locator('.prose').innerHTML()).toContain('Without <strong>remainder</strong>.')
  const facts = (await page.locator('details[open] dl').allTextContents()).join()
  for (const fact of [
    'BountyDivision',
    work.pr_url.replace(/.*(?=pull)/, ''),
    head,
    'Author of Division',
    work.contributor.id,
    '100 CALC',
    '1 file',
    `Pays95 CALC to ${by}, wallet ${work.contributor.wallet_address}`,
  ])
    expect(facts).toContain(fact)
  const file = page.locator('.diff details')
  expect(await file.locator('summary').textContent()).toBe('division.md +1 −0')
  expect(await file.locator('ins').allTextContents()).toEqual(['+Division'])
  expect(await file.locator('ins').getAttribute('data-line')).toBe('1')
  expect(await axe()).toEqual([])

  await page.getByLabel('Notes for the contributor').fill('Well done.')
  const place = () =>
    page.locator('details[open]').getByRole('button', { name: 'Approve and pay…' }).boundingBox()
  const before = await place()
  await page.locator('details[open]').getByRole('button', { name: 'Approve and pay…' }).dblclick()
  const asked = page.locator('.confirm p')
  await asked.first().waitFor()
  expect(await asked.allTextContents()).toEqual([
    `Pay 95 CALC to ${by}, wallet ${work.contributor.wallet_address}? It cannot be undone.`,
    expect.stringMatching(
      /^With the fee 100 CALC. You can spend 100,000 CALC, 99,900 CALC after this payment.$/,
    ),
    'Bounty: Division',
    `Commit: ${head} `,
    'Your notes: Well done.',
  ])
  expect(Math.abs(((await place())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(1)
  const confirm = page.getByRole('button', { name: 'Pay now' })
  const box = await confirm.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(before?.y ?? 0)
  expect(await page.evaluate('document.activeElement.className')).toBe('confirm')
  expect(await page.locator('.confirm button').allTextContents()).toEqual(['Cancel', 'Pay now'])
  await page.locator('.confirm button:enabled', { hasText: 'Pay now' }).waitFor()
  await confirm.dispatchEvent('click', { detail: 2 })
  expect(await axe()).toEqual([])
  await press('Cancel')
  expect([sent, await status(work)]).toEqual([[], 'in_review'])

  await press('Approve and pay…')
  await press('Pay now')
  await said('Done: paid. Transaction 0x')
  await badge(work, 'paid: merge waits')
  expect(await status(work)).toBe('done')
  expect(await submission(work)).toMatchObject({ status: 'approved', review_notes: 'Well done.' })
  expect(await balance(work)).toBe(parseEther('95'))

  const brief = `Merge ${head.slice(0, 7)}`
  await press(`${brief}…`)
  await press(`${brief} now`)
  await said('Done: merged.')
  await badge(work, 'merged')
  await page.getByText('Waiting for you: 0.').waitFor()
  expect(await pull(work)).toMatchObject({ merged: true, head_sha: head })
  expect(sent.map(([path]) => path)).toEqual(['approve', 'merge'])
  expect(complaints()).toEqual([])
  await close()
})

test('before an approval the desk says which dollars it pays with the tokens, and after it what was paid', async () => {
  const { founder, submitted, market } = desk
  const dollars = dollarsOn(market)
  await giveDollars(market.chain.rpcUrl, founder.wallet_address as Address)
  const work = await submitted('Dollars', undefined, async (bounty) => {
    expect((await dollars.lock(bounty)).status).toBe(201)
    await until(dollars.is(bounty, 'locked'))
  })
  const { page, unfold, press, said, axe, close } = await atDesk(founder.key)
  await unfold(work)
  const to = `to Author of Dollars${work.contributor.id.slice(-4)}, wallet ${work.contributor.wallet_address}`
  expect(await page.locator('details[open] dl').first().textContent()).toContain(
    `Pays19 dollars and 95 CALC ${to}`,
  )
  await press('Approve and pay…')
  const asked = page.locator('.confirm p')
  await asked.first().waitFor()
  expect((await asked.allTextContents()).slice(0, 2)).toEqual([
    `Pay 19 dollars and 95 CALC ${to}? It cannot be undone.`,
    expect.stringMatching(/^With the fee 20 dollars and 100 CALC. You can spend /),
  ])
  expect(await axe()).toEqual([])
  await press('Pay now')
  await said('Done: paid.')
  await page.getByText('19 dollars and 95 CALC to').first().waitFor()
  expect(await dollars.balanceOf(work.contributor.wallet_address as string)).toBe(19_000_000n)
  await close()
})

test('a commit that the founder has not seen is not paid: the task is read and asked about again', async () => {
  const { founder, submitted, pushMore, status, balance } = desk
  const work = await submitted('Late')
  const { head } = work
  const { page, unfold, press, said, sent, close } = await atDesk(founder.key)
  await unfold(work)
  await page.locator('.decide > label textarea').fill('Good.')
  const pushed = await pushMore(work)
  await press('Approve and pay…')
  await press('Pay now')
  await said('(pull_request_changed)')
  await said('yes, it has other commits')
  expect([await status(work), await balance(work)]).toEqual(['in_review', 0n])
  expect(await page.locator('.decide > label textarea').inputValue()).toBe('Good.')
  await press('Approve and pay…')
  const commit = page.locator('.confirm p', { hasText: 'Commit' })
  expect(await commit.textContent()).toBe(`Commit: ${pushed} not the commit that was submitted`)
  expect(sent).toMatchObject([['approve', { expected_head_sha: head }]])
  await close()
})

test('a contributor sees its claim, its submission and what it earned as soon as it happens, and withdraws it', async () => {
  const { market, project, founder, submitted } = desk
  const work = await submitted('Own work')
  const { page, axe, complaints, close } = await atDesk(work.contributor.key, 'Newest submissions')
  const entries = page.locator('#desk .entries > li')
  expect(await entries.allTextContents()).toEqual([
    'Own work100 CALC before the feein reviewCalculator',
    expect.stringMatching(/^Own work100 CALC before the feein reviewCalculatorpull requestreview due 20/),
  ])
  const body = { review_notes: 'Good.' }
  await market.api('POST', `/api/bounties/${work.id}/approve`, { key: founder.key, body })
  await page.getByText('1 receipt').waitFor()
  expect(await entries.allTextContents()).toEqual([
    "Own work100 CALC before the feeapprovedCalculatorpull requestreceiptthe founder's notes",
    'Calculator95 CALC after the fee1 receiptin the wallet 95 CALC, sells for 0 ETH nowWithdraw…',
  ])
  expect(await axe()).toEqual([])

  const to = '0x00000000000000000000000000000000000A11cE'
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await press('Withdraw…')
  expect(await page.getByLabel('How many of 95 CALC').inputValue()).toBe('all')
  await page.getByLabel('Address that receives it').fill(to)
  await page.locator('form').getByRole('button').click()
  expect(await page.locator('.confirm p').allTextContents()).toEqual([
    `Send all CALC to ${to}? It cannot be undone.`,
  ])
  expect(await axe()).toEqual([])
  await press('Withdraw now')
  await page.getByText(/^Withdrawn\. Transaction 0x/).waitFor()
  expect(await market.chain.balanceOf(project.token_address, to)).toBe(parseEther('95'))
  await page.getByText('in the wallet 0 CALC').waitFor()
  expect(await page.getByRole('button', { name: 'Withdraw…' }).count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

test('a founder changes what an open bounty says, and cancels it', async () => {
  const { market, founder, project } = desk
  const { id } = await market.openBounty({ project, title: 'Roots', description: 'Of squares.' })
  const { page, axe, complaints, close } = await atDesk(founder.key)
  const entry = page.locator('#desk .entries > li', { hasText: 'Roots' })
  const press = (name: string) => entry.getByRole('button', { name, exact: true }).click()
  await press('Change…')
  await entry.getByLabel('Reward').fill('150')
  await entry.getByLabel('Tags').fill('Maths, api')
  expect(await axe()).toEqual([])
  // An agent of the founder changes the text meanwhile, which the form does not send back.
  await market.api('PATCH', `/api/bounties/${id}`, { key: founder.key, body: { description: 'Of cubes.' } })
  await press('Save the change')
  await entry.getByText('150 CALC').waitFor()
  const { body } = await market.api('GET', '/api/agents/me/bounties?status=open', { key: founder.key })
  expect(body.bounties.find((each: { id: string }) => each.id === id)).toMatchObject({
    title: 'Roots',
    description: 'Of cubes.',
    reward_amount: 150,
    tags: ['maths', 'api'],
  })

  await press('Cancel…')
  await press('Cancel')
  await press('Cancel…')
  await entry.locator('.confirm button:enabled', { hasText: 'Cancel the bounty' }).click()
  await entry.waitFor({ state: 'detached' })
  expect((await market.api('GET', `/api/bounties/${id}`)).body.error.code).toBe('bounty_cancelled')
  expect(complaints()).toEqual([])
  await close()
})

test('no key and a wrong one are named and forgotten, and a newcomer is shown the ways in', async () => {
  const { market, founder } = desk
  const { page, enter, close } = await atDesk()
  const alert = page.getByRole('alert')
  await enter(' ')
  await alert.getByText('Enter the API key of an agent.').waitFor()
  await enter('not-a-key')
  await alert.getByText('No agent has this key. (unauthorized)').waitFor()
  const ada = await market.register()
  await enter(ada.key)
  await page.getByText('You hold no bounty. Find one, or post one.').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect(await page.getByLabel('API key').inputValue()).toBe('')
  expect(await page.locator('form, input[type=password]').count()).toBe(0)
  await enter(founder.key)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Signed out: the key is forgotten.').waitFor()
  expect(await page.locator('details').count()).toBe(0)
  await close()
})

test('the key is in memory alone, and gone with all it has shown once the founder leaves', async () => {
  const { founder, submitted } = desk
  const work = await submitted('Confidential')
  const { page, unfold, kept, leave, complaints, close } = await atDesk(founder.key)
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.url()} ${request.postData()}`))
  await unfold(work)
  expect(await kept()).not.toContain(founder.key)
  expect(await kept()).toContain('Confidential')
  expect(await page.context().cookies()).toEqual([])
  expect(requests.join()).not.toContain(founder.key)

  await leave()
  expect(await kept()).not.toMatch(new RegExp(`${founder.key}|Confidential`))
  await page.getByLabel('API key').fill(founder.key)
  await leave()
  expect(await kept()).not.toContain(founder.key)
  await page.goto('/')
  await page.goBack()
  await page.getByLabel('API key').waitFor()
  expect(await page.getByLabel('API key').inputValue()).toBe('')
  expect(await kept()).not.toMatch(new RegExp(`${founder.key}|Confidential`))
  expect(complaints()).toEqual([])
  await close()
})
