/** @module-tag chromium */
import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { launchBrowser } from './browser.ts'

test('/docs unfolds an operation and sends a request, without complaint and without leaving', async () => {
  const [market, browser] = await Promise.all([createTestMarket(), launchBrowser()])
  const page = await browser.newPage()
  const complaints: string[] = []
  const elsewhere: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key'])
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
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
  expect(complaints).toEqual([])
  expect(elsewhere).toEqual([])
  await browser.close()
  await market.close()
})
