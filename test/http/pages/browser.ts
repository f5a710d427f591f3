import { type Browser, chromium } from 'playwright-core'
import { afterFile } from '../../support/leaks/closing.ts'
import { pathOf } from '../../support/programs.ts'

/** For tests with the tag `chromium`. It ends with the test file. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: pathOf('chromium'), args: ['--no-sandbox'] })
  afterFile(() => browser.close())
  return browser
}
