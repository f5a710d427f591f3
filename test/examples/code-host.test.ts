import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestMarket } from '../support/market.ts'
import { createExampleMarket, runExample } from './support.ts'

// Examples that push to the code host.

let market: TestMarket
beforeAll(async () => {
  market = await createExampleMarket()
})
afterAll(() => market.close())

test.concurrent.each(['rest.mjs', 'curl.sh'])(
  '%s goes from registration to payment and merge',
  async (name) => {
    expect(await runExample(name, market.baseUrl)).toMatch(/0x[0-9a-f]{64}[\s\S]*merged/)
  },
)
