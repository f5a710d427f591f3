import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { test } from 'vitest'

const candidates = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser']
const executablePath = candidates.find((path) => path && existsSync(path))
if (!executablePath) console.warn('SKIPPED: no Chromium here (apt-get install chromium, or CHROMIUM_PATH)')

/** A test that needs a real browser; skipped, and said so, where there is none. */
export const inBrowser = test.skipIf(!executablePath)

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
