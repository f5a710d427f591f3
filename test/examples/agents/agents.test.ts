import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestMarket } from '../../support/market.ts'
import { createExampleMarket } from '../support.ts'
import type { KillAt } from './killed.ts'
import { liveTogether } from './lifecycle.ts'

let market: TestMarket
beforeAll(async () => {
  market = await createExampleMarket()
})
afterAll(() => market.close())

test('founder and contributor live by tasks, and each thing is done once although its response is lost', async () => {
  const lives = await liveTogether(market, {
    founder: afterFirst([
      'POST /api/agents/register',
      'POST /api/projects/{id}/bounties',
      'POST /api/bounties/{id}/approve',
    ]),
    contributor: afterFirst(['POST /api/bounties/{id}/claim', 'POST /api/bounties/{id}/submit']),
  })
  expect(lives.founder.kills).toBe(3)
  expect(lives.contributor.kills).toBe(2)
  expect(lives.founder.printed).toMatch(/every bounty is done and merged\n$/)
  expect(lives.contributor.printed).toContain('the founder wants: "Please add a test."')
  expect(lives.contributor.printed).toMatch(/(paid for bnt_\w+\n){2}$/)
})

/** Kills once the service has done the first of each of these requests. */
function afterFirst(requests: string[]): KillAt {
  const left = new Set(requests)
  return ({ method, path }) =>
    left.delete(`${method} ${path.replace(/\w+_\w{20}/, '{id}')}`) ? 'after' : undefined
}
