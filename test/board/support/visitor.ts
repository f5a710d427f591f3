import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const inPage = join(import.meta.dirname, '../in-page/look.mjs')

/** What every page loads one of. */
const script = /\/board\/\w+\.js/

/** Widths at which pages are looked at. */
export const widths = { wide: 1280, narrow: 320 } as const

/** Somebody who looks at pages of the board in a browser. */
export interface Visitor {
  page: Page
  /** What went wrong since the last call: console messages, errors, dialogs, violations of the policy, requests to other origins. */
  complaints(): string[]
  /** Opens a page of the board and waits until all that it loads is there. Returns its status. */
  open(path: string): Promise<number | undefined>
  /** As `open`, but the script arrives only after the page was painted without it, as on a slow line. */
  openSlowly(path: string): Promise<number | undefined>
  /** Calls a function of `in-page/look.mjs` in the page: `shifts()`. */
  look<Result>(call: string): Promise<Result>
  /** Looks at the open page in another theme and width. */
  turn(theme: 'light' | 'dark', width: keyof typeof widths): Promise<void>
  /** What axe-core finds by its default rules, those for best practices included. */
  axe(): Promise<string[]>
  /** All that the browser keeps of the page, and what the page shows. */
  kept(): Promise<string>
  /** Leaves the page for the back/forward cache. */
  leave(): Promise<void>
  close(): Promise<void>
}

/** Opens a context of its own for the board at `baseUrl`. */
export async function createVisitor(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const viewport = { width: widths.wide, height: 800 }
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport,
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  let complaints: string[] = []
  const complain = (what: string) => complaints.push(what)
  page.on('console', (message) => complain(`console ${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complain(`error: ${error.message}`))
  page.on('dialog', async (dialog) => {
    complain(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== baseUrl) complain(`request: ${request.url()}`)
  })
  await page.addInitScript({ path: inPage })
  const open = async (path: string) => (await page.goto(path, { waitUntil: 'load' }))?.status()
  return {
    page,
    open,
    async openSlowly(path) {
      await page.route(script, async (route) => {
        await page.evaluate('look.painted()')
        await route.continue()
      })
      const status = await open(path)
      await page.unroute(script)
      return status
    },
    complaints() {
      const all = complaints
      complaints = []
      return all
    },
    look: (call) => page.evaluate(`look.${call}`),
    async turn(colorScheme, width) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: widths[width], height: 800 })
    },
    async axe() {
      if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axeSource)
      return page.evaluate('look.axe()')
    },
    kept: () =>
      page.evaluate(`(async () => JSON.stringify([
        { ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(), await caches.keys(),
        location.href, history.state, name, document.documentElement.outerHTML,
        [...document.querySelectorAll('input, textarea')].map((field) => field.value),
      ]))()`),
    leave: () => page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))"),
    async close() {
      // A handler of a request that is under way would find its response gone.
      await page.unrouteAll({ behavior: 'wait' })
      await context.close()
    },
  }
}

/** Pixels above and below a box in which its text may be seen: the height of an accent. */
const tolerance = 6
/** Pixels above and below a box that are looked at. */
const surroundings = 200

/** Whether texts of others in the first element that fits `selector` are seen above or below it. */
export async function paintsOutside({ page, look }: Visitor, selector: string): Promise<boolean> {
  const called = JSON.stringify(selector)
  const box = await look<{ top: number; bottom: number; end: number }>(`boxOf(${called})`)
  const y = Math.max(0, Math.floor(box.top) - surroundings)
  const height = Math.min(box.end, Math.ceil(box.bottom) + surroundings) - y
  const picture = () => page.screenshot({ fullPage: true, clip: { x: 0, y, width: widths.wide, height } })
  const before = await picture()
  await look(`hideIn(${called})`)
  const pictures = [before, await picture()].map((each) => JSON.stringify(each.toString('base64')))
  const changed = await look<[number, number] | null>(`changedRows(${pictures.join()})`)
  if (!changed) throw new Error(`${selector} shows no text of others`)
  return y + changed[0] < box.top - tolerance || y + changed[1] > box.bottom + tolerance
}
