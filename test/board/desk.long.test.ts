/**
 * @module-tag chromium
 * @module-tag git
 */
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { useDesk } from './support/desk.ts'
import { everyText, hostileTexts, neutral } from './support/hostile-texts.ts'

const { scene, atDesk } = useDesk()

test('a response that comes after the founder has left is not shown', async () => {
  const { founder } = scene()
  const { page, enter, leave, close } = await atDesk()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/agents/me/tasks?*', async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  const asked = page.waitForRequest('**/api/agents/me/tasks?*')
  await enter(founder.key)
  await asked
  const ended = page.waitForEvent('requestfailed')
  await leave()
  await ended
  release()
  await page.unrouteAll({ behavior: 'wait' })
  expect(await page.locator('#desk').textContent()).toMatch(/^Sign inAPI key or access tokenSign in/)
  await close()
})

test('texts of others stay texts in every field', async () => {
  const { market, project, founder, submitted } = scene()
  const work = await submitted('Hostile', everyText(2000))
  const { script, image, title, override } = hostileTexts
  const texts = {
    name: script,
    login: `<b>${override}</b>`,
    check: image,
    bounty: title,
  }
  const { key } = work.contributor
  const body = { text: everyText(5000) }
  await market.api('POST', `/api/bounties/${work.id}/comments`, { key, body })
  const { page, unfold, press, said, complaints, enter, axe, close } = await atDesk()
  const alter = (path: string, change: (body: Record<string, Record<string, unknown>>) => object) =>
    page.route(path, async (route) => {
      const response = await route.fetch()
      return route.fulfill({ response, json: change(await response.json()) })
    })
  await alter('**/api/bounties/*', ({ bounty }) => ({
    bounty: { ...bounty, title: `${bounty?.title} ${texts.bounty}` },
  }))
  await alter('**/desk/rows?*', (rows) =>
    Object.fromEntries(
      Object.entries(rows).map(([id, row]) => [
        id,
        { ...row, title: { page: `/of/${id}`, label: { foreign: `Hostile ${texts.name}` } } },
      ]),
    ),
  )
  const other = { submission_id: 'sub_1', bounty_id: 'bnt_1', agent_id: 'agent_1', status: 'approved' }
  await alter('**/api/submissions/*', ({ submission }) => ({
    submission: { ...submission, pr_url: 'javascript:alert(1)', other_submissions: [other] },
  }))
  await alter('**/pull-request', ({ pull_request }) => ({
    pull_request: {
      ...pull_request,
      author: { id: 7, login: texts.login },
      checks: { state: 'failure', failed: [texts.check], neutral: [], skipped: [], total: 1 },
    },
  }))
  const error = { code: 'rate_limited', message: texts.check, retryable: true, request_id: 'req_1' }
  await page.route('**/approve', (route) => route.fulfill({ status: 429, json: { error } }))

  await enter(founder.key)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await unfold(work)
  await press('Approve and pay…')
  await page.locator('.confirm bdi', { hasText: texts.name }).waitFor()
  await press('Pay now')
  await said('(rate_limited)')
  const section = page.locator('#desk')
  const shown = await section.textContent()
  for (const text of Object.values(texts)) expect(shown).toContain(neutral(text))
  expect(await section.locator('script, img, b, iframe, [onerror], [onmouseover], #brought').count()).toBe(0)
  const rendered = section.locator('.prose')
  expect(await rendered.count()).toBe(2)
  for (const text of await rendered.allTextContents()) expect(text).toContain(script)
  const linksOf = (selector: string) =>
    section.locator(selector).evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
  expect((await linksOf('.prose a')).filter((link) => !link.startsWith('https://evil.example/'))).toEqual([])
  expect(await linksOf('.subject a:not(.prose a)')).toEqual([
    '#inbox',
    `/of/${work.id}`,
    `/projects/${project.id}`,
    `/of/${work.contributor.id}`,
    '/bounties/bnt_1',
    `/bounties/${work.id}`,
    `/agents/${work.contributor.id}`,
  ])
  expect(await axe()).toEqual([])
  expect(complaints().filter((complaint) => !/429|404/.test(complaint))).toEqual([])
  await close()
})

test('a founder rejects and requests changes, says why, and reads it in the next round', async () => {
  const { founder, submitted, submit, submission, status, pushMore } = scene()
  const bad = await submitted('Copied work')
  const good = await submitted('Untested work')
  const { page, unfold, press, said, waits, complaints, close } = await atDesk(founder.key)
  const notes = page.getByLabel('Notes for the contributor')
  await unfold(bad)
  await press('Reject…')
  await said('Say why in the notes.')
  await notes.fill('It is copied.')
  await press('Reject…')
  await said('Reject this work? It is not paid.')
  await said('Your notes: It is copied.')
  expect(await status(bad)).toBe('in_review')
  await press('Reject now')
  await said('Done. The bounty is open to all again.')
  await waits(bad)
  expect(await status(bad)).toBe('open')
  expect(await submission(bad)).toMatchObject({ status: 'rejected', review_notes: 'It is copied.' })

  await unfold(good)
  await notes.fill('Tests, please.')
  await press('Request changes')
  await said('It comes to your Inbox again once it is submitted anew.')
  await waits(good)
  expect(await status(good)).toBe('claimed')
  const review_notes = 'Tests, please.'
  expect(await submission(good)).toMatchObject({ status: 'changes_requested', review_notes })
  await pushMore(good)
  await submit(good, good.pr_url)
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  await waits(good, 'Review')
  await page
    .locator('.subject li', { hasText: 'founder, asked for changes' })
    .getByText('Tests, please.')
    .waitFor()
  await said('what changed, at the code host')
  expect(complaints()).toEqual([])
  await close()
})

test('a payment under way can be neither cancelled nor left unwarned, and keeps its key until it has ended', async () => {
  const { founder, submitted, balance } = scene()
  const work = await submitted('Lost')
  const { page, unfold, press, said, waits, close } = await atDesk(founder.key)
  const keys: (string | undefined)[] = []
  await page.route('**/approve', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    await said('Paying… this goes on if you leave.')
    expect(await page.locator('.subject fieldset button:enabled').count()).toBe(0)
    expect(await page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")).toBe(false)
    return keys.length === 1 ? route.abort() : route.continue()
  })
  await unfold(work)
  for (const outcome of ['Not done, or not yet: The service did not respond. (no_response)', 'Done: paid.']) {
    await press('Approve and pay…')
    await page.getByLabel('Merge this commit').uncheck()
    await press('Pay now')
    await said(outcome)
    await page.locator('.subject fieldset:enabled .actions').waitFor()
  }
  await waits(work, 'Merge')
  expect(await balance(work)).toBe(parseEther('95'))
  expect(keys).toEqual([expect.stringMatching(/^\S{32,}$/), keys[0]])
  expect(await page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")).toBe(true)
  await close()
})

test('a refusal is shown with its code, ends the decision, and leaves the choices', async () => {
  const { founder, submitted, status } = scene()
  const work = await submitted('Refused')
  const { page, unfold, press, said, close } = await atDesk(founder.key)
  const keys: (string | undefined)[] = []
  const error = { code: 'insufficient_funds', message: 'Too little.', retryable: false, request_id: 'req_1' }
  await page.route('**/approve', (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    return route.fulfill({ status: 400, json: { error } })
  })
  await page.route(
    ({ pathname }) => pathname === `/bounties/${work.id}`,
    (route) => route.abort(),
  )
  await unfold(work)
  await said('The task cannot be shown now. Read it on its page.')
  for (const _ of [1, 2]) {
    await press('Approve and pay…')
    await press('Pay now')
    await said('Too little. (insufficient_funds)')
    await page.locator('.subject fieldset:enabled .actions').waitFor()
  }
  expect(new Set(keys).size).toBe(2)
  expect(await status(work)).toBe('in_review')
  await close()
})

test('a payout that runs is waited for without a question and without the code host', async () => {
  const { founder, submitted } = scene()
  const work = await submitted('Running')
  const { head } = work
  const { page, unfold, press, said, sent, enter, close } = await atDesk()
  const asked = { submission_id: work.submissionId, expected_head_sha: head }
  await page.route('**/pull-request', (route) => route.abort())
  await page.route('**/tasks?*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    for (const task of json.tasks)
      if (task.id === `review:${work.submissionId}`) {
        const approve = task.choices.find(({ action }: { action: string }) => action === 'approve')
        task.action = 'approve'
        task.request = { ...approve, missing: [], body: asked }
        task.choices = []
      }
    return route.fulfill({ response, json })
  })
  await enter(founder.key)
  await unfold(work)
  expect(await page.locator('.subject fieldset .actions button').allTextContents()).toEqual([
    'Wait for the payout',
  ])
  await press('Wait for the payout')
  await said('Done: paid. Transaction 0x')
  expect(sent).toEqual([['approve', asked]])
  await close()
})

// The last one: it brings the commit of all these pull requests into the default branch.
test('what was pushed after the payment is not offered: the paid commit is merged by its hash', async () => {
  const { market, founder, submitted, pull, pushMore } = scene()
  const work = await submitted('Backdoor')
  const { head } = work
  const { body } = await market.api('POST', `/api/bounties/${work.id}/approve`, {
    key: founder.key,
    body: { expected_head_sha: head },
  })
  expect(body.status).toBe('done')
  const { page, unfold, press, said, sent, close } = await atDesk(founder.key)
  const pushed = await pushMore(work)
  await unfold(work)
  await said(`Changed after it was paid: the newest commit is ${pushed}. Compare`)
  const brief = `Merge ${head.slice(0, 7)}`
  const buttons = page.locator('.subject fieldset .actions button')
  expect(await buttons.allTextContents()).toEqual([`${brief}…`])
  await press(`${brief}…`)
  await press(`${brief} now`)
  await said('Done: merged.')
  expect(sent).toEqual([['merge', { expected_head_sha: head }]])
  expect(await pull(work)).toMatchObject({ merged: true, head_sha: head })
  await close()
})
