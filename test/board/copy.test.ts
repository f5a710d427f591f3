import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../http/pages/browser.ts'
import { createTestMarket } from '../support/market.ts'
import { createVisitor } from './support/visitor.ts'

const market = await createTestMarket({ engines: false })
const { id } = await market.register({ name: 'Ada' })
const path = `/agents/${id}`

test.each([
  ['board', 10_000],
  ['desk', 24_500],
])('the script %s is one module, of at most %i bytes with the styles, compressed', (name, most) => {
  const module = readFileSync(`server/board/generated/${name}.js`, 'utf8')
  const styles = ['base', 'blocks', 'lists', 'forms'].map((each) =>
    readFileSync(`server/board/styles/${each}.css`),
  )
  const sizes = [gzipSync(module).length, gzipSync(Buffer.concat(styles)).length]
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(most)
  expect(module).not.toMatch(/\bimport\b|innerHTML|outerHTML|DOMParser|localStorage|sessionStorage/)
})

describe('in a browser', { tags: 'chromium' }, () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  const visit = (options = {}) => createVisitor(browser, market.baseUrl, options)

  test('a button copies an id whole and says so; nothing moves', async () => {
    const { page, open, look, complaints, axe, close } = await visit({
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await open(path)
    const code = page.locator('code.copyable', { hasText: id })
    const button = page.getByRole('button', { name: `Copy ${id.slice(0, 12)}` })
    await button.focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .getByText(`Copied ${id.slice(0, 12)}…`)
      .waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await code.textContent())
    expect(await axe()).toEqual([])
    expect(await look('shifts()')).toEqual([])
    expect(complaints()).toEqual([])
    await close()
  })

  test('everything but moments stands where it stands without the script', async () => {
    const boxes = async (options: object) => {
      const { page, open, close } = await visit(options)
      await open(path)
      const all = await page.locator('main *:not(.copy, time, :has(> time)), footer').all()
      const found = await Promise.all(all.map((each) => each.boundingBox()))
      const copies = await page.locator('button.copy').count()
      await close()
      return { found, copies }
    }
    const plain = await boxes({ javaScriptEnabled: false })
    const scripted = await boxes({})
    expect(plain.copies).toBe(0)
    expect(scripted.copies).toBeGreaterThan(0)
    expect(scripted.found).toEqual(plain.found)
  })

  test('no button where the browser lets pages not write to the clipboard', async () => {
    const { page, open, complaints, close } = await visit()
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await open(path)
    await page.locator('code.copyable').first().waitFor()
    expect(await page.locator('button.copy').count()).toBe(0)
    expect(complaints()).toEqual([])
    await close()
  })
})
