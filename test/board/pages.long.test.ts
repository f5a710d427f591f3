/** @module-tag chromium */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../http/pages/browser.ts'
import { hostileAddresses, usualAddresses } from './support/addresses.ts'
import { createLivedInMarket } from './support/lived-in.ts'
import { createVisitor } from './support/visitor.ts'

let lived: Awaited<ReturnType<typeof createLivedInMarket>>
let all: string[]
beforeAll(async () => {
  lived = await createLivedInMarket()
  const usual = usualAddresses(lived).flatMap(({ addresses }) => addresses)
  all = [...new Set([...usual, ...hostileAddresses(lived, { all: true })])]
})
afterAll(() => lived?.close())
const patienceMs = 600_000

test.for(['light', 'dark'] as const)(
  'in the %s theme axe finds nothing on any page, and nothing sticks out at any width',
  { timeout: patienceMs },
  async (theme) => {
    const browser = await launchBrowser()
    const visitor = await createVisitor(browser, lived.market.baseUrl)
    for (const address of all) {
      await visitor.turn(theme, 'wide')
      expect.soft(await visitor.openSlowly(address), address).toBe(200)
      expect.soft(await visitor.look('shifts()'), address).toBe(0)
      expect.soft(await visitor.axe(), address).toEqual([])
      for (const width of [280, 320, 360, 600, 768, 1024, 1920]) {
        await visitor.page.setViewportSize({ width, height: 800 })
        const at = `${address} at ${width} px`
        expect.soft(await visitor.look('overlaps()'), at).toEqual([])
        expect.soft(await visitor.look('reordered()'), at).toEqual([])
        if (width >= 320) expect.soft(await visitor.look('excess()'), at).toBeLessThanOrEqual(0)
      }
      expect.soft(visitor.complaints(), address).toEqual([])
    }
    await browser.close()
  },
)

test('texts twice as large, and in a window that is zoomed in, fit too', async () => {
  const browser = await launchBrowser()
  // 1280 px at 400 % are 320 px.
  const visitor = await createVisitor(browser, lived.market.baseUrl, {
    viewport: { width: 320, height: 256 },
    deviceScaleFactor: 4,
  })
  for (const address of all) {
    await visitor.open(address)
    expect.soft(await visitor.look('excess()'), address).toBeLessThanOrEqual(0)
    await visitor.page.setViewportSize({ width: 640, height: 512 })
    await visitor.look('enlarge()')
    expect.soft(await visitor.look('excess()'), address).toBeLessThanOrEqual(0)
    expect.soft(await visitor.look('overlaps()'), address).toEqual([])
    await visitor.page.setViewportSize({ width: 320, height: 256 })
  }
  await browser.close()
})
