import { formatEther } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../http/pages/browser.ts'
import { hostileAddresses, usualAddresses } from './support/addresses.ts'
import { crawl } from './support/crawl.ts'
import { hostileTexts, neutral, withMarks } from './support/hostile-texts.ts'
import { createLivedInMarket } from './support/lived-in.ts'
import { bytesOf } from './support/raw-get.ts'
import { factsOf, markupOf, numbersIn, twinAddress } from './support/twin.ts'
import { createVisitor, type Visitor } from './support/visitor.ts'

const lived = await createLivedInMarket()
const { baseUrl } = lived.market
const addresses = usualAddresses(lived).flatMap((page) => page.addresses)

/** Whole ether; the token of the hostile project is called ETH, and rewards are whole tokens. Its price is in real ether. */
const bareEther = /(?<![\d.,])[1-9][\d,]* ETH\b(?! per 1M tokens named)/

/** Paragraphs of Markdown are elements, so the lines between them are in no text. */
const unspaced = (text: string) => text.replace(/\s+/g, '')

/** The token of the hostile project where it is named as if it were ether: beside no fraction, and without what tells it apart. */
function etherIn(text: string): RegExpMatchArray | null {
  const ether = /tokens named “ETH”|([<≈] )?(0|[\d,]*\.\d+) ETH\b|ETH per 1M /g
  return text
    .replace(/`[^`]*`|^ {4}.*$/gm, '')
    .replace(ether, '')
    .match(/.*\bETH\b.*/)
}

/** Bytes of a page and all that it loads. */
const mostBytes = 30_000

describe('in a browser', { tags: 'chromium' }, () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  let visitor: Visitor
  beforeAll(async () => {
    browser = await launchBrowser()
    visitor = await createVisitor(browser, baseUrl)
  })

  describe('texts of hostile agents', () => {
    const { hostile } = lived
    const { texts } = hostile

    const { projectName, projectDescription, founderName, claimantName, painterName, login, checkName } =
      texts
    const { script, cell, rtl } = hostileTexts
    /** The name of an agent as links to it show it. */
    const cut = (name: string) => [...name].slice(0, 60).join('').trimEnd()
    /** Texts that pages show, by their address; the first of a page with an id is its title. */
    const shown: Record<string, string[]> = {
      [`/projects/${hostile.project}`]: [projectName, projectDescription, cut(founderName)],
      [`/bounties/${hostile.inReview}`]: [
        rtl,
        projectName,
        cut(founderName),
        cut(claimantName),
        texts.inReviewDescription,
        login,
        checkName,
      ],
      [`/bounties/${hostile.bounties.script}`]: [script],
      [`/bounties/${hostile.bounties.title}`]: [hostileTexts.title],
      [`/bounties/${hostile.done}`]: [cell, cut(painterName)],
      [`/bounties/${hostile.marks}`]: [withMarks(190), withMarks(1000)],
      [`/agents/${hostile.founder}`]: [founderName],
      [`/agents/${hostile.claimant}`]: [claimantName],
      '/payments': [projectName, cut(painterName), cell],
      '/projects': [projectName],
      '/agents': [cut(founderName), cut(claimantName)],
      '/': [cut(claimantName), rtl],
    }

    test('bring nothing but text, arrive whole, and change nothing around them', async () => {
      const { page, look } = visitor
      const origins = [baseUrl, 'https://explorer.example', new URL(lived.project.repo_url).origin]
      for (const address of new Set([...hostileAddresses(lived), ...Object.keys(shown)])) {
        await visitor.turn('light', 'wide')
        expect.soft(await visitor.open(address), address).toBe(200)
        const brought = await look<{ origins: string[]; text: string }>('brought()')
        expect.soft(brought, address).toMatchObject({ elements: [], scripts: 1, headings: 1, handlers: [] })
        for (const origin of brought.origins) expect.soft(origins, address).toContain(origin)
        expect.soft(brought.text, address).not.toMatch(bareEther)
        const [title = '', ...others] = (shown[address] ?? []).map(neutral)
        for (const text of [title, ...others])
          expect.soft(unspaced(brought.text), address).toContain(unspaced(text))
        if (title && address.lastIndexOf('/') > 0)
          expect
            .soft(await page.title())
            .toBe(`${title.replace(/[\t\n\f\r ]+/g, ' ').trim()} · Bounty marketplace`)
        expect.soft(await look('reordered()'), address).toEqual([])
        await visitor.turn('light', 'narrow')
        expect.soft(await look('excess()'), address).toBeLessThanOrEqual(0)
        expect.soft(await look('overlaps()'), address).toEqual([])
        expect.soft(await look('reordered()'), address).toEqual([])
        expect.soft(visitor.complaints(), address).toEqual([])
      }
    })
  })

  test('a slash begins a search, and j and k go through the rows', async () => {
    const { page, open, complaints } = visitor
    await open('/')
    const at = () => page.evaluate('document.activeElement.getAttribute("href") ?? document.activeElement.id')
    await page.keyboard.press('/')
    expect(await at()).toBe('filter-q')
    await page.keyboard.type('j/')
    expect(await page.getByLabel('Search').inputValue()).toBe('j/')
    const rows = page.locator('.entries > li > .title a')
    const hrefs = await rows.evaluateAll((all) => all.map((each) => each.getAttribute('href')))
    await rows.first().focus()
    for (const [key, nth] of [
      ['j', 1],
      ['j', 2],
      ['k', 1],
      ['k', 0],
      ['k', 0],
    ] as const) {
      await page.keyboard.press(key)
      expect(await at()).toBe(hrefs[nth])
    }
    expect(complaints()).toEqual([])
  })

  test('without JavaScript everything is read, filtered and paged', async () => {
    const { page, open, complaints, close } = await createVisitor(browser, baseUrl, {
      javaScriptEnabled: false,
    })
    await open('/')
    await page.getByText('Filters').click()
    await page.getByLabel('Difficulty').selectOption('hard')
    await page.getByRole('button', { name: 'Show' }).click()
    expect(await page.locator('.entries > li').count()).toBe(2)
    expect(await page.locator('.entries').textContent()).toContain('Prove the parser total')
    await page.getByRole('link', { name: 'All 3' }).click()
    expect(new URL(page.url()).search).toBe('?difficulty=hard&status=all')
    await open('/')
    await page.getByRole('link', { name: 'Newest', exact: true }).click()
    await page.getByRole('link', { name: 'Next page' }).click()
    expect(new URL(page.url()).searchParams.get('offset')).toBe('20')
    expect(await page.locator('.entries > li').count()).toBeGreaterThan(10)
    await page.getByRole('link', { name: 'Previous page' }).click()
    expect(new URL(page.url()).search).toBe('?sort=newest')
    await page.getByRole('link', { name: /^All \d/ }).click()
    await page.getByLabel('Search').fill('hexadecimal')
    await page.getByLabel('Search').press('Enter')
    await page.getByRole('link', { name: 'Parse hexadecimal numbers' }).click()
    expect(await page.locator('h1').textContent()).toBe('Parse hexadecimal numbers')
    for (const section of ['Task', 'Paid', 'Pull request', 'History'])
      expect.soft(await page.getByRole('heading', { name: section }).isVisible(), section).toBe(true)
    await open(`/projects/${lived.project.id}`)
    for (const chart of await page.locator('figure.chart').all()) {
      await chart.locator('summary').click()
      expect(await chart.locator('table').isVisible()).toBe(true)
      expect(await chart.locator('tbody tr').count()).toBeGreaterThan(0)
    }
    expect(complaints()).toEqual([])
    await close()
  })
})

test('every link of every page and of every twin answers', async () => {
  const statuses = await crawl(baseUrl)
  const bad = [...statuses].filter(([, status]) => status !== 200)
  expect(bad).toEqual([])
  for (const address of addresses.filter((address) => !address.includes('?')))
    expect.soft([...statuses.keys()], address).toContain(address)
})

test('every fact of a page is in its twin: each link and each number', async () => {
  for (const address of addresses) {
    const { text, links } = factsOf(
      await (await fetch(baseUrl + address, { headers: { accept: 'text/html' } })).text(),
    )
    const twin = await (await fetch(baseUrl + twinAddress(address))).text()
    const inTwin = markupOf(twin).links
    for (const link of links) expect.soft(inTwin, `${link} of ${address}`).toContain(twinAddress(link))
    for (const number of new Set(numbersIn(text)))
      expect.soft(twin.includes(number), `${number} of ${address}`).toBe(true)
  }
})

test('beside the price of a token stands for how much of the ether held all that is left for bounties would sell', async () => {
  const { market, project } = lived
  const { key } = await market.register()
  const { body } = await market.api('GET', `/api/projects/${project.id}/market`, { key })
  const { reserve_claim_eth, reserve_claim_bps } = body.market
  expect(reserve_claim_bps).toBeGreaterThan(0)
  const twin = await (await fetch(`${baseUrl}/projects/${project.id}.md`)).text()
  expect(twin).toMatch(
    new RegExp(`left for bounties would sell for ${reserve_claim_eth} ETH, ${reserve_claim_bps / 100} %`),
  )
})

test('feeds name no token as if it were ether', async () => {
  for (const feed of ['bounties', 'payouts']) {
    const text = await (await fetch(`${baseUrl}/${feed}.atom?project_id=${lived.hostile.project}`)).text()
    expect(text).toContain('tokens named “ETH”')
    expect(text).not.toMatch(bareEther)
  }
})

test('beside each reward of a list stands what the chain would pay for it', async () => {
  const { market, project } = lived
  const { body } = await market.api('GET', `/api/bounties?project_id=${project.id}&status=open`)
  const twin = await (await fetch(`${baseUrl}/index.md?project_id=${project.id}`)).text()
  expect(body.bounties.length).toBeGreaterThan(2)
  for (const { id, reward_amount } of body.bounties) {
    const net = BigInt(reward_amount) * 10n ** 18n - (BigInt(reward_amount) * 10n ** 18n * 5n) / 100n
    const { key } = project.founder
    const sell = formatEther(net)
    const found = await market.api('GET', `/api/projects/${project.id}/market?sell=${sell}`, { key })
    const line = twin.split('\n').find((line) => line.includes(`(/bounties/${id}.md)`))
    expect(line).toContain(` · ${found.body.market.quote.eth} ETH · `)
  }
})

test('the board begins with what sells for most, and behind it stands what nobody buys yet, with how many are left out', async () => {
  const twin = await (await fetch(`${baseUrl}/index.md`)).text()
  const rows = twin.split('\n').filter((line) => line.startsWith('- **'))
  const worth = rows.map((row) => Number(/ · ([\d.]+) ETH · /.exec(row)?.[1] ?? 0))
  const sold = worth.filter((each) => each > 0)
  expect(sold.length).toBeGreaterThan(2)
  expect(worth).toEqual([...sold.toSorted((one, other) => other - one), ...worth.slice(sold.length).fill(0)])
  expect(rows.slice(sold.length).join()).toMatch(/nobody buys tokens named “ETH” yet/)
  const { body } = await lived.market.api('GET', '/api/dashboard/stats')
  const left = body.stats.bounties.open - rows.length
  expect(twin).toContain(
    `> ${left} open bounties are left out, because nobody buys the tokens of their projects yet. [Newest first](/index.md?sort=newest)`,
  )
})

test(`a page is at most ${mostBytes} bytes, with all that it loads`, async () => {
  for (const address of [...addresses, ...hostileAddresses(lived)])
    expect.soft(await bytesOf(baseUrl, address), address).toBeLessThanOrEqual(mostBytes)
})

test('twins of hostile pages hold no link, picture, heading or HTML that a text brought', async () => {
  const allowed = new RegExp(`^(/|https://explorer\\.example/|${new URL(lived.project.repo_url).origin}/)`)
  const usual = new Set<string>()
  for (const address of addresses)
    for (const heading of markupOf(await (await fetch(baseUrl + twinAddress(address))).text()).headings)
      usual.add(heading)
  for (const address of hostileAddresses(lived, { all: true })) {
    const text = await (await fetch(baseUrl + twinAddress(address))).text()
    const { links, headings, brought } = markupOf(text)
    expect.soft(brought, address).toEqual([])
    for (const link of links) expect.soft(link, address).toMatch(allowed)
    expect.soft(text, address).not.toMatch(bareEther)
    expect.soft(etherIn(text), address).toBeNull()
    const html = await (await fetch(baseUrl + address, { headers: { accept: 'text/html' } })).text()
    for (const [part = ''] of html.matchAll(/<head>.*?<\/head>|<svg.*?<\/svg>/gs))
      expect.soft(etherIn(part), address).toBeNull()
    for (const heading of headings.slice(1)) expect.soft([...usual], address).toContain(heading)
  }
})
