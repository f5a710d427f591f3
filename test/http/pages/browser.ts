import { type Browser, chromium } from 'playwright-core'
import { pathOf } from '../../support/programs.ts'

/** For tests with the tag `chromium`. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: pathOf('chromium'), args: ['--no-sandbox'] })
}
