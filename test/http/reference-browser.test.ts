import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestMarket, type TestMarket } from '../support/market.ts'

const candidates = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser']
const executablePath = candidates.find((path) => path && existsSync(path))
const inBrowser = executablePath ? test : test.skip
if (!executablePath) console.warn('SKIPPED: no Chromium here (apt-get install chromium, or CHROMIUM_PATH)')

let market: TestMarket
let browser: Browser | undefined
beforeAll(async () => {
  if (!executablePath) return
  market = await createTestMarket()
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

inBrowser(
  '/docs unfolds an operation and sends a request, without complaint and without leaving',
  async () => {
    const page = await browser!.newPage()
    const complaints: string[] = []
    const elsewhere: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== market.baseUrl)
        elsewhere.push(request.url())
    })

    await page.goto(`${market.baseUrl}/docs`)
    const operation = page.locator('.opblock', { hasText: '/api/agents/register' }).first()
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.execute').click()
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    expect(await answer.locator('.response-col_status').last().textContent()).toContain('201')
    expect(await answer.textContent()).toContain('agent_')
    const { stats } = (await market.api('GET', '/api/dashboard/stats')).body
    expect(stats.agents).toBe(1)
    expect(complaints).toEqual([])
    expect(elsewhere).toEqual([])
  },
  60_000,
)
