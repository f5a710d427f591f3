import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../http/pages/browser.ts'
import { createTestMarket } from '../support/market.ts'
import { until } from '../support/until.ts'
import { createVisitor } from './support/visitor.ts'

const market = await createTestMarket({ databaseLoops: true })
const project = await market.activeProject()

/** A bounty, and a cursor after everything that has happened to it. */
async function bountyAndCursor() {
  const { key } = project.founder
  const { cursor: before } = (await market.api('GET', '/api/events', { key })).body
  const bounty = await market.openBounty({ project })
  const path = `/api/events?after=${before}&wait=25&bounty_id=${bounty.id}`
  const { body } = await market.api('GET', path, { key })
  expect(body.events).toMatchObject([{ type: 'bounty.created' }])
  return { bounty, cursor: body.cursor as string }
}

const live = (id: string, query: string) => market.api('GET', `/bounties/${id}/live?${query}`)
const claim = async (id: string, name: string) => {
  const agent = await market.register({ name })
  expect((await market.api('POST', `/api/bounties/${id}/claim`, { key: agent.key })).status).toBe(200)
  return agent
}

test('200 with what happens to the bounty while a visitor waits, as data of a page', async () => {
  const { bounty, cursor } = await bountyAndCursor()
  const other = await market.openBounty({ project })
  const waiting = live(bounty.id, `after=${cursor}&wait=25`)
  await until(() => market.services.events.waiting > 0)
  await claim(other.id, 'Grace')
  const ada = await claim(bounty.id, '<b>Ada</b>')
  const { status, body, headers } = await waiting
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  const content = [
    { page: `/agents/${ada.id}`, label: { foreign: '<b>Ada</b>', isName: true } },
    ' claimed ',
    'it',
  ]
  expect(body).toEqual({
    items: [{ id: expect.stringMatching(/^act_/), time: expect.stringMatching(/Z$/), content }],
    cursor: body.items[0].id,
    has_more: false,
    truncated: false,
  })
  expect((await live(bounty.id, `after=${body.cursor}`)).body).toEqual({
    items: [],
    has_more: false,
    truncated: false,
    cursor: expect.any(String),
  })
})

test('400 for a wait that is too long or none, and for an unknown cursor', async () => {
  const { bounty, cursor } = await bountyAndCursor()
  for (const query of [`after=${cursor}&wait=301`, `after=${cursor}&wait=x`, 'after=yesterday']) {
    const { status, body } = await live(bounty.id, query)
    expect([status, body.error.code]).toEqual([400, 'validation_failed'])
  }
})

test('404 for a bounty that does not exist or was cancelled, and HEAD does not wait', async () => {
  const { bounty, cursor } = await bountyAndCursor()
  const head = await fetch(`${market.baseUrl}/bounties/${bounty.id}/live?after=${cursor}&wait=300`, {
    method: 'HEAD',
  })
  expect(head.status).toBe(200)
  const { key } = project.founder
  expect((await market.api('POST', `/api/bounties/${bounty.id}/cancel`, { key })).status).toBe(200)
  for (const id of [bounty.id, 'bnt_00000000000000000000', 'x']) {
    const { status, body } = await live(id, `after=${cursor}&wait=300`)
    expect([status, body.error.code]).toEqual([404, `bounty_${id === bounty.id ? 'cancelled' : 'not_found'}`])
  }
})

test('a cancelled bounty keeps its page, with its title, reward and history and without its text', async () => {
  const { bounty } = await bountyAndCursor()
  const { key } = project.founder
  expect((await market.api('POST', `/api/bounties/${bounty.id}/cancel`, { key })).status).toBe(200)
  const page = await fetch(`${market.baseUrl}/bounties/${bounty.id}.md`)
  expect(page.status).toBe(200)
  const text = await page.text()
  for (const said of ['cancelled', 'Add division', '100 CALC', 'posted the bounty', bounty.id])
    expect(text).toContain(said)
  expect(text).not.toContain('Without remainder.')
})

describe('in a browser', { tags: 'chromium' }, () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  beforeAll(async () => {
    browser = await launchBrowser()
  })

  async function watch(id: string, prepare: (page: Page) => Promise<void> = async () => undefined) {
    const visitor = await createVisitor(browser, market.baseUrl)
    const polls: string[] = []
    visitor.page.on('request', (request) => {
      if (request.url().includes('/live?')) polls.push(request.url())
    })
    await prepare(visitor.page)
    await visitor.open(`/bounties/${id}`)
    await until(() => polls.length > 0)
    return { ...visitor, polls, entries: visitor.page.locator('ol.timeline > li') }
  }
  const turn = (page: Page, hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

  test('events appear without a reload, once each, as the page shows them after one', async () => {
    const { bounty } = await bountyAndCursor()
    const { page, entries, complaints, axe, close } = await watch(bounty.id)
    await page.evaluate('globalThis.isSamePage = true')
    const grace = await claim(bounty.id, '<img src=x onerror=alert(1)> \u202eGrace')
    await entries.getByText('claimed it').waitFor()
    const pr_url = await market.pullRequest(project)
    await market.api('POST', `/api/bounties/${bounty.id}/submit`, { key: grace.key, body: { pr_url } })
    await entries.getByText('submitted a pull request').waitFor()
    await market.api('POST', `/api/bounties/${bounty.id}/approve`, { key: bounty.founder.key, body: {} })
    const paid = entries.getByText('The founder paid')
    await paid.waitFor()
    expect(await paid.locator('bdi').textContent()).toBe('<img src=x onerror=alert(1)> \ufffdGrace')
    const status = page.locator('p.live')
    expect(await status.textContent()).toBe('New events. Reload to see all facts as they are now.')
    expect(await page.evaluate('isSamePage')).toBe(true)
    expect(await axe()).toEqual([])
    expect(complaints()).toEqual([])

    const markup = () =>
      entries.evaluateAll((all) => all.map((each) => each.outerHTML.replace(/>[^<]*<\/time>/, '')))
    const shown = await markup()
    expect(new Set(shown).size).toBe(shown.length)
    await status.getByRole('link').click()
    await page.waitForFunction('!globalThis.isSamePage')
    expect(await markup()).toEqual(shown)
    await close()
  })

  test('a hidden page asks for nothing, and goes on where it was', async () => {
    const { bounty } = await bountyAndCursor()
    const { page, polls, entries, leave, close } = await watch(bounty.id)
    const ended = page.waitForEvent('requestfailed')
    await turn(page, true)
    expect((await ended).url()).toContain('/live?')
    const before = polls.length
    await claim(bounty.id, 'Ada')
    await until(() => market.services.events.waiting === 0)
    await leave()
    expect(await entries.count()).toBe(1)
    expect(polls.length).toBe(before)
    await turn(page, false)
    await entries.getByText('claimed it').waitFor()
    expect(polls.length).toBeGreaterThan(before)
    await close()
  })

  test('it pauses 1 s to 60 s after failures, early empty pages and Retry-After, and ends with a refusal', async () => {
    const { bounty, cursor } = await bountyAndCursor()
    const json = (body: object) => ({ contentType: 'application/json', body: JSON.stringify(body) })
    const empty = json({ items: [], cursor, has_more: false, truncated: false })
    const replies = [
      { status: 500 },
      empty,
      { status: 429, headers: { 'retry-after': '30' } },
      json({ items: [], cursor, has_more: true, truncated: false }),
      json({ items: [], cursor, has_more: false, truncated: true }),
      ...Array.from({ length: 4 }, () => ({ status: 503 })),
      { status: 404 },
    ]
    let answered = 0
    const { page, polls, close } = await watch(bounty.id, async (page) => {
      // Pauses are written down, and are over at once.
      await page.addInitScript(`const pause = setTimeout
        globalThis.pauses = []
        globalThis.setTimeout = (end, ms) => { pauses.push(ms); return pause(end, 0) }`)
      await page.route('**/live?*', (route) => route.fulfill(replies[answered++] ?? empty))
    })
    await until(() => answered === replies.length)
    await page.evaluate("fetch('/board/board.js').then((response) => response.text())")
    expect(await page.evaluate('pauses')).toEqual([1000, 2000, 30_000, 0, 1000, 2000, 4000, 8000, 16_000])
    expect(polls.length).toBe(replies.length)
    expect(await page.locator('p.live').textContent()).toContain('New events.')
    await turn(page, true)
    await turn(page, false)
    expect(polls.length).toBe(replies.length)
    await close()
  })
})
