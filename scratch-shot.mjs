import { chromium } from 'playwright-core'
const [base, out, width, theme, ...paths] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const ctx = await browser.newContext({ baseURL: base, viewport: { width: +width, height: 900 }, colorScheme: theme, deviceScaleFactor: 1 })
const page = await ctx.newPage()
page.on('console', m => console.log('console', m.text()))
for (const p of paths) { await page.goto(p); const n = p.replace(/\W+/g, '-').replace(/^-|-$/g,'') || 'home'
 await page.screenshot({ path: `${out}/${n}-${width}-${theme}.png`, fullPage: true }) 
 const ex = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth); if (ex>0) console.log(p, 'excess', ex) }
await browser.close()
