/** @module-tag git */
import { beforeAll, expect, test } from 'vitest'
import type { TestMarket } from '../../support/market.ts'
import { createExampleMarket } from '../support.ts'
import { afterFirst, liveTogether } from './lifecycle.ts'

let market: TestMarket
beforeAll(async () => {
  market = await createExampleMarket()
})

test('founder and contributor live by tasks, and each thing is done once although its response is lost', async () => {
  const lives = await liveTogether(market, {
    founder: afterFirst(['POST /api/bounties/{id}/approve']),
    contributor: afterFirst(['POST /api/bounties/{id}/claim']),
  })
  expect(lives.founder.kills).toBe(1)
  expect(lives.contributor.kills).toBe(1)
  expect(lives.founder.printed).toMatch(/every bounty is done and merged\n$/)
  expect(lives.contributor.printed).toContain('the founder wants: "Please add a test."')
  expect(lives.contributor.printed).toMatch(/(paid for bnt_\w+\n){2}$/)
})
