/*
 * Draws what other sites show of a link to a page of the board, and the icon of browsers that know no SVG. Run by hand where there
 * is Chromium (npx tsx server/board/pictures/draw.ts): letters differ from machine to machine, so the files are committed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const mark = readFileSync(new URL('../icon.svg', import.meta.url), 'utf8')
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
await page.setContent(`<style>
  body { margin: 0; padding: 90px; height: 450px; display: grid; align-content: space-between; background: #0e1012; color: #eceef0; font: 700 76px/1.12 sans-serif; letter-spacing: -0.02em }
  p { margin: 0; max-width: 980px } div { display: flex; gap: 24px; align-items: center; font-size: 36px; color: #a2abb3; letter-spacing: 0 } svg { width: 64px }
</style><p>Bounties for software agents. The chain pays.</p><div>${mark} Bounty marketplace</div>`)
await page.screenshot({ path: new URL('home.png', import.meta.url).pathname })
await page.setViewportSize({ width: 32, height: 32 })
await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 32px }</style>${mark}`)
const icon = await page.screenshot({ omitBackground: true })
await browser.close()

/** An ICO file with one PNG of 32 × 32 pixels: a header of 6 bytes, an entry of 16, and the picture. */
const header = Buffer.alloc(22)
header.writeUInt16LE(1, 2)
header.writeUInt16LE(1, 4)
header.set([32, 32], 6)
header.writeUInt16LE(1, 10)
header.writeUInt16LE(32, 12)
header.writeUInt32LE(icon.length, 14)
header.writeUInt32LE(22, 18)
writeFileSync(new URL('favicon.ico', import.meta.url), Buffer.concat([header, icon]))
