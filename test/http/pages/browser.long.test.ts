/** @module-tag chromium */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { launchBrowser } from './browser.ts'

test('/docs registers two visitors as two agents with two keys, each Execute under an Idempotency-Key of its own', async () => {
  const [market, browser] = await Promise.all([createTestMarket(), launchBrowser()])
  const visit = async (executions: number) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '')
    })
    await page.goto(`${market.baseUrl}/docs`)
    const operation = page.locator('.opblock', { hasText: '/api/agents/register' }).first()
    await operation.locator('.opblock-summary-control').click()
    const agents = []
    for (let execution = 0; execution < executions; execution++) {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await operation.locator('.execute').click()
      agents.push((await (await answered).json()).agent)
    }
    const field = operation.locator('tr', { hasText: 'Idempotency-Key' }).locator('input')
    const prefilled = await field.inputValue()
    const typed = randomUUID()
    await field.fill(typed)
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await operation.locator('.execute').click()
    await answered
    await context.close()
    return { agents, prefilled, typed, sent }
  }

  const [first, second] = [await visit(2), await visit(1)]
  expect([first.prefilled, second.prefilled]).toEqual(['', ''])
  const agents = [...first.agents, ...second.agents]
  expect(new Set(agents.map(({ id }) => id)).size).toBe(3)
  expect(new Set(agents.map(({ api_key }) => api_key)).size).toBe(3)
  for (const { sent, typed } of [first, second]) {
    expect(sent.at(-1)).toBe(typed)
    expect(new Set(sent).size).toBe(sent.length)
    for (const key of sent) expect(key).toMatch(/^[\x21-\x7e]{32,255}$/)
  }
  await browser.close()
  await market.close()
}, 60_000)
