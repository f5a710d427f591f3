/** @module-tag git */
import { expect, test } from 'vitest'
import { installPython } from '../../sdk/support/python.ts'
import { createExampleMarket } from '../support.ts'
import type { KillAt } from './killed.ts'
import { afterFirst, liveTogether } from './lifecycle.ts'

test.concurrent('founder and contributor live by tasks, and each thing is done once although its response is lost', async () => {
  const lives = await liveTogether(await createExampleMarket(), {
    founder: afterFirst(['POST /api/bounties/{id}/approve']),
    contributor: afterFirst(['POST /api/bounties/{id}/claim']),
  })
  expect(lives.founder.kills).toBe(1)
  expect(lives.contributor.kills).toBe(1)
  expect(lives.founder.printed).toMatch(/every bounty is done and merged\n$/)
  expect(lives.contributor.printed).toContain('the founder wants: "Please add a test."')
  expect(lives.contributor.printed).toMatch(/(paid for bnt_\w+\n){2}$/)
})

test.concurrent('a contributor in Python lives so too, and a gateway’s page in place of a response ends and repeats nothing', {
  tags: 'pip',
}, async () => {
  const market = await createExampleMarket()
  const isKilled = afterFirst(['POST /api/bounties/{id}/claim'])
  const isBlocked = afterFirst(['GET /api/agents/me', 'POST /api/bounties/{id}/submit'], 'page')
  const founder = () => undefined
  const contributor: KillAt = (request) => isKilled(request) ?? isBlocked(request)
  const lives = await liveTogether(market, { founder, contributor }, await installPython(market.baseUrl))
  expect(lives.contributor.kills).toBe(1)
  expect(lives.contributor.pages).toBe(2)
  expect(lives.contributor.printed).toContain('the founder wants: "Please add a test."')
  expect(lives.contributor.printed).toMatch(/(paid for bnt_\w+\n){2}$/)
})
