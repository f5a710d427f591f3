/**
 * @module-tag chromium
 * @module-tag git
 */
import { type Address, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { giveDollars } from '../../server/embedded/chain/dollar.ts'
import { dollarsOn } from '../support/dollars.ts'
import { until } from '../support/until.ts'
import { useDesk } from './support/desk.ts'

const { scene, atDesk } = useDesk()

test('a founder approves, which pays once it is confirmed, and merges that commit after it', async () => {
  const { founder, submitted, submission, pull, status, balance } = scene()
  const work = await submitted('Division')
  const { head } = work
  const { page, unfold, press, said, waits, sent, complaints, axe, look, close } = await atDesk(founder.key)
  expect(await page.locator('.whose p').textContent()).toBe(
    `Founder${founder.id.slice(-4)} · forgotten when you leave this page`,
  )
  expect(await page.title()).toBe('(1) Desk · Bounty marketplace')
  expect(await page.locator('main > :visible').count()).toBe(2)
  expect(await look('shifts()')).toEqual([])
  const by = `Author of Division${work.contributor.id.slice(-4)}`
  expect(await page.locator('.inbox .entries > li').allTextContents()).toEqual([
    `Review Divisionnobody buys CALC yetdue in 6 daysSubmitted by ${by}Calculator95 CALC, 100 with the fee`,
  ])
  expect((await page.locator('.tabs a').allTextContents()).slice(0, 3)).toEqual([
    'Inbox 1',
    expect.stringMatching(/^My bounties [1-9]/),
    'My work ',
  ])
  await unfold(work)
  await said('Due in 6 days. An overdue review shows in your public record')
  expect(await page.locator('.prose').innerHTML()).toContain('Without <strong>remainder</strong>.')
  const facts = (await page.locator('.subject dl').allTextContents()).join()
  for (const fact of [
    'BountyDivision',
    work.pr_url.replace(/.*(?=pull)/, ''),
    head,
    'Author of Division',
    work.contributor.id,
    '100 CALC',
    '1 file',
    `Pays95 CALC (nobody buys CALC yet) to ${by}, wallet ${work.contributor.wallet_address}`,
  ])
    expect(facts).toContain(fact)
  const file = page.locator('.diff details')
  expect(await file.locator('summary').textContent()).toBe('division.md +1 −0')
  expect(await file.locator('ins').allTextContents()).toEqual(['+Division'])
  expect(await file.locator('ins').getAttribute('data-line')).toBe('1')
  expect(await axe()).toEqual([])

  await page.getByLabel('Notes for the contributor').fill('Well done.')
  const opener = page.getByRole('button', { name: 'Approve and pay…', includeHidden: true })
  const place = () => opener.boundingBox()
  const before = await place()
  await page.getByRole('button', { name: 'Approve and pay…' }).dblclick()
  const asked = page.locator('.confirm p')
  await asked.first().waitFor()
  expect(await asked.allTextContents()).toEqual([
    `Pay 95 CALC (nobody buys CALC yet) to ${by}, wallet ${work.contributor.wallet_address}? It cannot be undone.`,
    expect.stringMatching(
      /^With the fee 100 CALC. You can spend 100,000 CALC, 99,900 CALC after this payment.$/,
    ),
    'Bounty: Division',
    `Commit: ${head} `,
    'Your notes: Well done.',
  ])
  expect(await page.getByLabel('Merge this commit once it is paid').isChecked()).toBe(true)
  expect(Math.abs(((await place())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(1)
  // One thing at a time is on the screen, and its buttons are not where somebody has just pressed.
  expect(await opener.isVisible()).toBe(false)
  const confirm = page.getByRole('button', { name: 'Pay now' })
  const box = await confirm.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(before?.y ?? 0)
  expect(await page.evaluate('document.activeElement.className')).toBe('confirm')
  expect(await page.locator('.confirm button').allTextContents()).toEqual(['Keep reviewing', 'Pay now'])
  await page.locator('.confirm button:enabled', { hasText: 'Pay now' }).waitFor()
  await confirm.dispatchEvent('click', { detail: 2 })
  expect(await confirm.getAttribute('class')).toBe('danger')
  expect(await axe()).toEqual([])
  await press('Keep reviewing')
  await press('Approve and pay…')
  await asked.first().waitFor()
  await page.keyboard.press('Escape')
  expect(await asked.count()).toBe(0)
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Approve and pay…')
  expect([sent, await status(work)]).toEqual([[], 'in_review'])

  await press('Approve and pay…')
  await press('Pay now')
  await said('Done: paid and merged. Transaction 0x')
  expect(await status(work)).toBe('done')
  expect(await submission(work)).toMatchObject({ status: 'approved', review_notes: 'Well done.' })
  expect(await balance(work)).toBe(parseEther('95'))
  await said('Nothing about it waits for you any more.')
  expect(await page.locator('.subject .details').first().textContent()).toBe('')
  await waits(work)
  await page.getByText('Nothing waits. The title of this page says when something does.').waitFor()
  expect(await page.title()).toBe('Desk · Bounty marketplace')
  expect(await pull(work)).toMatchObject({ merged: true, head_sha: head })
  expect(sent.map(([path]) => path)).toEqual(['approve', 'merge'])
  expect(complaints()).toEqual([])
  await close()
})

test('before an approval the desk says which dollars it pays with the tokens, and after it what was paid, also where the merge is refused', async () => {
  const { founder, submitted, market } = scene()
  const dollars = dollarsOn(market)
  await giveDollars(market.chain.rpcUrl, founder.wallet_address as Address)
  const work = await submitted('Dollars', undefined, async (bounty) => {
    expect((await dollars.lock(bounty)).status).toBe(201)
    await until(dollars.is(bounty, 'locked'))
  })
  const { page, unfold, press, said, waits, axe, close } = await atDesk(founder.key)
  await unfold(work)
  const to = `to Author of Dollars${work.contributor.id.slice(-4)}, wallet ${work.contributor.wallet_address}`
  expect(await page.locator('.subject dl').first().textContent()).toContain(
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
  const error = {
    code: 'pull_request_not_mergeable',
    message: 'Conflicts.',
    retryable: false,
    request_id: 'req_1',
  }
  await page.route('**/merge', (route) => route.fulfill({ status: 409, json: { error } }))
  await press('Pay now')
  await said('Done: paid.')
  await said('Not merged, or not yet: Conflicts. (pull_request_not_mergeable)')
  await waits(work, 'Merge')
  await page.getByText('19 dollars and 95 CALC to').first().waitFor()
  expect(await dollars.balanceOf(work.contributor.wallet_address as string)).toBe(19_000_000n)
  await close()
})

test('a commit that the founder has not seen is not paid: the task is read and asked about again', async () => {
  const { founder, submitted, pushMore, status, balance } = scene()
  const work = await submitted('Late')
  const { head } = work
  const { page, unfold, press, said, sent, close } = await atDesk(founder.key)
  await unfold(work)
  await page.getByLabel('Notes for the contributor').fill('Good.')
  const pushed = await pushMore(work)
  await press('Approve and pay…')
  await press('Pay now')
  await said('(pull_request_changed)')
  await said('yes, it has other commits')
  expect([await status(work), await balance(work)]).toEqual(['in_review', 0n])
  expect(await page.getByLabel('Notes for the contributor').inputValue()).toBe('Good.')
  await press('Approve and pay…')
  const commit = page.locator('.confirm p', { hasText: 'Commit' })
  expect(await commit.textContent()).toBe(`Commit: ${pushed} not the commit that was submitted`)
  expect(sent).toMatchObject([['approve', { expected_head_sha: head }]])
  await close()
})

test('a contributor sees its deadlines, what became of its work and what it earned, and finds a withdrawal again', async () => {
  const { market, project, founder, submitted } = scene()
  const work = await submitted('Own work')
  const { key } = work.contributor
  const { page, enter, axe, complaints, close } = await atDesk(key, '#work')
  const entries = page.locator('#desk .entries > li')
  expect(await entries.allTextContents()).toEqual([
    'Own worknobody buys CALC yetin reviewCalculatorReview due in 6 days95 CALC',
  ])
  const body = { review_notes: 'Good.' }
  await market.api('POST', `/api/bounties/${work.id}/approve`, { key: founder.key, body })
  await page.getByText('receipt').waitFor()
  expect(await entries.allTextContents()).toEqual([
    "Own work95 CALCapprovedCalculatorpull requestreceiptthe founder's notes",
  ])
  expect(await axe()).toEqual([])

  await page.getByRole('link', { name: 'Wallet' }).click()
  const wallet = [
    'Dollars0 dollars',
    'Calculatornobody buys CALC now95 CALCWithdraw…',
    'Calculator95 CALC1 receipt',
  ]
  await page.getByText('Earned, after the fee').waitFor()
  expect(await entries.allTextContents()).toEqual(wallet)
  const to = '0x00000000000000000000000000000000000A11cE'
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await press('Withdraw…')
  expect(await page.getByLabel('How many of 95 CALC').inputValue()).toBe('all')
  await page.getByLabel('Address that receives it').fill(to)
  await page.getByLabel('How many of 95 CALC').fill('95.5')
  await press('Withdraw…')
  await page.getByText('You can withdraw 95 at most.').waitFor()
  await page.getByLabel('How many of 95 CALC').fill('all')
  await page.locator('form').getByRole('button').click()
  const asked = page.locator('.confirm p')
  await asked.first().waitFor()
  expect(await asked.allTextContents()).toEqual([`Send 95 CALC to ${to}? It cannot be undone.`])
  expect(await axe()).toEqual([])
  await press('Withdraw now')
  await page.getByText(/^Withdrawn\. Transaction 0x.* You find it again below\.$/).waitFor()
  expect(await page.evaluate('document.activeElement.className')).toBe('messages')
  expect(await market.chain.balanceOf(project.token_address, to)).toBe(parseEther('95'))
  expect(await page.getByRole('button', { name: 'Withdraw…' }).count()).toBe(0)
  await page.reload()
  await enter(key)
  await page.getByText('Withdrawals').waitFor()
  expect(await entries.allTextContents()).toContainEqual(
    expect.stringMatching(/^To 0x000000…11cE95 CALCon chain.*transaction 0x/),
  )
  expect(complaints()).toEqual([])
  await close()
})

test('a founder changes what an open bounty says, and cancels it', async () => {
  const { market, founder, project } = scene()
  const { id } = await market.openBounty({ project, title: 'Roots', description: 'Of squares.' })
  const { page, axe, complaints, close } = await atDesk(founder.key, '#bounties')
  const entry = page.locator('#desk .entries > li', { hasText: 'Roots' })
  const press = (name: string) => entry.getByRole('button', { name, exact: true }).click()
  await press('Change…')
  await entry.getByLabel('Reward').fill('150')
  await entry.getByLabel('Tags').fill('Maths, api')
  expect(await axe()).toEqual([])
  // An agent of the founder changes the text meanwhile, which the form does not send back.
  await market.api('PATCH', `/api/bounties/${id}`, { key: founder.key, body: { description: 'Of cubes.' } })
  await press('Save the change')
  await page.getByText('Saved. Agents see it now').waitFor()
  expect(await page.evaluate('document.activeElement.className')).toBe('messages')
  await entry.getByText('142.5 CALC, 150 with the fee').waitFor()
  const { body } = await market.api('GET', '/api/agents/me/bounties?status=open', { key: founder.key })
  expect(body.bounties.find((each: { id: string }) => each.id === id)).toMatchObject({
    title: 'Roots',
    description: 'Of cubes.',
    reward_amount: 150,
    tags: ['maths', 'api'],
  })

  await press('Cancel…')
  await press('Keep it open')
  await press('Cancel…')
  await entry.locator('.confirm button:enabled', { hasText: 'Cancel the bounty' }).click()
  await page.getByText('Cancelled. What was promised for it can be offered again.').waitFor()
  await entry.locator('.badge', { hasText: 'cancelled' }).waitFor()
  expect((await market.api('GET', `/api/bounties/${id}`)).body.error.code).toBe('bounty_cancelled')
  expect(complaints()).toEqual([])
  await close()
})

test('a founder sees who has claimed a bounty and until when, ends the claim, and replies to a question', async () => {
  const { market, founder, project, status } = scene()
  const bounty = await market.openBounty({ project, title: 'Powers' })
  const asker = await market.register({ name: 'Emmy' })
  await market.api('POST', `/api/bounties/${bounty.id}/comments`, {
    key: asker.key,
    body: { text: 'Of **what**?' },
  })
  await market.api('POST', `/api/bounties/${bounty.id}/claim`, { key: asker.key })
  const { page, unfold, press, said, waits, axe, complaints, close } = await atDesk(founder.key)
  await waits({ title: 'Powers' }, 'Reply')
  await unfold({ title: 'Powers' })
  await said('Until you reply, the agent that asked may not begin.')
  await page.locator('.subject strong', { hasText: 'what' }).waitFor()
  await page.getByLabel('Your comment').fill('Of numbers.')
  await press('Comment')
  await said('Commented.')
  await waits({ title: 'Powers' })

  await page.getByRole('link', { name: 'My bounties' }).click()
  const entry = page.locator('#desk .entries > li', { hasText: 'Powers' })
  await entry.getByText(`Claimed by Emmy${asker.id.slice(-4)}`).waitFor()
  expect(await entry.textContent()).toMatch(/First push due, or it lapses in 11 hoursClaim ends in 2 days/)
  await entry.getByRole('button', { name: 'End the claim…' }).click()
  expect(await axe()).toEqual([])
  const end = entry.locator('.confirm button:enabled', { hasText: 'End the claim' })
  await end.click()
  expect(await page.evaluate('document.activeElement.localName')).toBe('textarea')
  await page.keyboard.type('We need it sooner.')
  await end.click()
  await page.getByText('Ended. The bounty is open to other agents.').waitFor()
  expect(await status(bounty)).toBe('open')
  expect(complaints()).toEqual([])
  await close()
})

test('an owner makes a token for an agent and revokes it, and replaces the key, which stays shown until it is kept', async () => {
  const { market } = scene()
  const owner = await market.register({ name: 'Owner' })
  const { page, axe, kept, complaints, close } = await atDesk(owner.key, '#access')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.getByLabel('Name by which you know it again').fill('Coder')
  await press('Make a token')
  await page.getByText('Made. It is shown once, here').waitFor()
  const [sentence = '', server = ''] = await page.locator('#desk .command pre').allTextContents()
  const token = /bmt_work_\w+/.exec(sentence)?.[0] ?? ''
  expect(JSON.parse(server).mcpServers.bounties.headers).toEqual({ Authorization: `Bearer ${token}` })
  const works = async (key: string) => (await market.api('GET', '/api/agents/me', { key })).status
  expect(await works(token)).toBe(200)
  expect(await axe()).toEqual([])
  await press('Revoke…')
  await press('Revoke it')
  await page.getByText('Revoked: Coder no longer works.').waitFor()
  expect(await works(token)).toBe(401)
  await press('Replace the key…')
  await press('Replace it')
  await page.getByRole('heading', { name: 'Keep your key' }).waitFor()
  const key = (await page.locator('#desk .command pre').textContent()) ?? ''
  expect(await page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")).toBe(true)
  await press('I have kept it')
  await page.getByText('There is no token.').waitFor()
  expect([await works(key), await works(owner.key), key === owner.key]).toEqual([200, 200, false])
  expect(await kept()).not.toContain(key)
  expect(complaints()).toEqual([])
  await close()
})

test('no key and a wrong one are named and forgotten, and a newcomer is shown the ways in', async () => {
  const { market, founder } = scene()
  const { page, enter, close } = await atDesk()
  const alert = page.getByRole('alert')
  await enter(' ')
  await alert.getByText('Enter the API key of an agent.').waitFor()
  await enter('not-a-key')
  await alert.getByText('No agent has this key. (unauthorized)').waitFor()
  const ada = await market.register()
  await enter(ada.key)
  await page.getByText('Nothing waits.').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect(await page.getByLabel('API key').inputValue()).toBe('')
  expect(await page.locator('form .secret, input[type=password]').count()).toBe(0)
  await enter(founder.key)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Signed out: the key is forgotten.').waitFor()
  expect(await page.locator('#desk details').count()).toBe(0)
  await close()
})

test('the key is in memory alone, and gone with all it has shown once the founder leaves', async () => {
  const { founder, submitted } = scene()
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

// The last one: others say that nobody has bought yet.
test('a sale is asked about with what the curve pays now and the least that it must pay, and made once', async () => {
  const { market, project, founder, submitted } = scene()
  const { id, contributor: claimant } = await submitted('Sold')
  await market.api('POST', `/api/bounties/${id}/approve`, { key: founder.key, body: {} })
  await market.chain.buy(await market.chain.fundedAccount(), project.curve_address, parseEther('20000'))
  const { page, close } = await atDesk(claimant.key, '#wallet')
  await page.getByRole('button', { name: 'Withdraw…' }).click()
  await page.getByLabel('How many of').fill('50')
  await page.getByLabel('Address that receives it').fill(founder.wallet_address as string)
  await page.getByLabel('As').selectOption('eth')
  await page.locator('form').getByRole('button').click()
  const { body } = await market.api('GET', `/api/projects/${project.id}/market?sell=50`, {
    key: claimant.key,
  })
  const worth = Number(body.market.quote.eth)
  const asked = (await page.locator('.confirm p').first().textContent()) ?? ''
  const [, about, least] =
    /^Sell 50 CALC for ≈ (\S+) ETH, at least (\S+) ETH, to 0x\w+\? It cannot be undone\.$/.exec(asked) ?? []
  // Three digits, rounded down.
  expect(Number(about) / worth).toBeCloseTo(0.995, 2)
  expect(Number(least) / (worth * 0.99)).toBeCloseTo(0.995, 2)
  const sent: unknown[] = []
  await page.route('**/withdrawals', async (route) => {
    const request = route.request()
    sent.push([request.headers()['idempotency-key'], request.postDataJSON()])
    if (sent.length > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: 'Withdraw now' }).click()
  await page.getByText('The service did not respond. (no_response)').waitFor()
  // Asked for again it is the same sale, though another price holds by now.
  await market.chain.buy(await market.chain.fundedAccount(), project.curve_address, parseEther('1000'))
  await page.locator('form').getByRole('button').click()
  await page.getByRole('button', { name: 'Withdraw now' }).click()
  await page.getByText(/^Withdrawn\. The curve paid 0\.\d+ ETH\./).waitFor()
  expect(sent).toEqual([sent[0], sent[0]])
  await close()
})
