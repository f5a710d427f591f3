/** @module-tag chromium */
import { mkdirSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../http/pages/browser.ts'
import { hostileAddresses, usualAddresses } from './support/addresses.ts'
import { createLivedInMarket } from './support/lived-in.ts'
import { createVisitor, paintsOutside } from './support/visitor.ts'

let lived: Awaited<ReturnType<typeof createLivedInMarket>>
let all: string[]
beforeAll(async () => {
  lived = await createLivedInMarket()
  const usual = usualAddresses(lived).flatMap(({ addresses }) => addresses)
  all = [...new Set([...usual, ...hostileAddresses(lived, { all: true })])]
})
const patienceMs = 600_000
const pictures = '.cache/board'
mkdirSync(pictures, { recursive: true })

/** A browser that looks at the board, closed with the test. */
async function openVisitor(options?: Parameters<typeof createVisitor>[2]) {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  return createVisitor(browser, lived.market.baseUrl, options)
}

test.for(['light', 'dark'] as const)(
  'in the %s theme axe finds nothing on any page, and nothing sticks out at any width',
  { timeout: patienceMs },
  async (theme) => {
    const visitor = await openVisitor()
    for (const address of all) {
      await visitor.turn(theme, 'wide')
      expect.soft(await visitor.openSlowly(address), address).toBe(200)
      expect.soft(await visitor.look('shifts()'), address).toEqual([])
      expect.soft(await visitor.axe(), address).toEqual([])
      for (const width of [280, 320, 360, 600, 768, 1024, 1920]) {
        await visitor.page.setViewportSize({ width, height: 800 })
        const at = `${address} at ${width} px`
        expect.soft(await visitor.look('overlaps()'), at).toEqual([])
        expect.soft(await visitor.look('reordered()'), at).toEqual([])
        if (width >= 320) expect.soft(await visitor.look('excess()'), at).toBeLessThanOrEqual(0)
      }
      await visitor.turn(theme, 'narrow')
      expect.soft(await visitor.axe(), `${address}, narrow`).toEqual([])
      expect.soft(visitor.complaints(), address).toEqual([])
    }
  },
)

test('texts twice as large, and in a window that is zoomed in, fit too', async () => {
  // 1280 px at 400 % are 320 px.
  const visitor = await openVisitor({ viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 })
  for (const address of all) {
    await visitor.open(address)
    expect.soft(await visitor.look('excess()'), address).toBeLessThanOrEqual(0)
    await visitor.page.setViewportSize({ width: 640, height: 512 })
    await visitor.look('enlarge()')
    expect.soft(await visitor.look('excess()'), address).toBeLessThanOrEqual(0)
    expect.soft(await visitor.look('overlaps()'), address).toEqual([])
    await visitor.page.setViewportSize({ width: 320, height: 256 })
  }
})

test('pictures of every kind of page are left in .cache/board, and that of the README', async () => {
  const visitor = await openVisitor()
  for (const { name, addresses } of usualAddresses(lived)) {
    await visitor.open(addresses[0] ?? '')
    for (const [theme, size] of [
      ['light', 'wide'],
      ['dark', 'wide'],
      ['light', 'narrow'],
    ] as const) {
      await visitor.turn(theme, size)
      await visitor.page.screenshot({ path: `${pictures}/${name}-${theme}-${size}.png`, fullPage: true })
    }
  }
  await visitor.turn('light', 'wide')
  expect(await visitor.open(`/?project_id=${lived.project.id}`)).toBe(200)
  await visitor.page.screenshot({ path: `${pictures}/readme.png` })
})

test('the keyboard reaches everything in its order, one sees where it is, and the first link skips what all pages have', async () => {
  const visitor = await openVisitor()
  const { keyboard } = visitor.page
  await visitor.turn('light', 'wide')
  for (const { addresses } of usualAddresses(lived)) {
    await visitor.open(addresses[0] ?? '')
    const reachable = await visitor.look<string[]>('reachable()')
    expect(reachable[0]).toBe('a.skip')
    for (const [index, name] of reachable.entries()) {
      await keyboard.press('Tab')
      expect(await visitor.look('focused()'), name).toMatchObject({ index, isMarked: true, isInside: true })
    }
  }
  await visitor.open('/')
  for (const key of ['Tab', 'Enter', 'Tab']) await keyboard.press(key)
  expect(new URL(visitor.page.url()).hash).toBe('#main')
  expect(await visitor.look('isInMain()')).toBe(true)
})

test('texts of hostile agents paint nothing outside their own box', async () => {
  const { hostile } = lived
  const visitor = await openVisitor()
  await visitor.turn('light', 'wide')
  for (const [address, box] of [
    [`/?status=all&project_id=${hostile.project}`, `main li:has([href="/bounties/${hostile.marks}"])`],
    [`/bounties/${hostile.marks}`, 'h1'],
    [`/bounties/${hostile.marks}`, '.prose'],
    ['/payments', `main li:has([href="/bounties/${hostile.done}"])`],
    [`/bounties/${hostile.done}`, `.timeline li:has([href="/agents/${hostile.painter}"])`],
  ] as const) {
    await visitor.open(address)
    expect.soft(await paintsOutside(visitor, box), `${box} of ${address}`).toBe(false)
  }
})
