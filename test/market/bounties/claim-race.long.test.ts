import { beforeAll, expect, test } from 'vitest'
import { createAgents } from '../../support/agents.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { readRow } from '../../support/stored.ts'

/** Agents whose keys are verified at once before the race. */
const atOnce = 100

const agentCount = 1000
let market: TestMarket
beforeAll(async () => {
  market = await createTestMarket()
})

test(`200 for exactly one of ${agentCount} agents, 409 bounty_not_open for all others`, async () => {
  const bounty = await market.openBounty()
  const agents = await createAgents(market.db, agentCount)
  // First calls are the ones that verify keys; let them be over.
  for (let start = 0; start < agents.length; start += atOnce)
    await Promise.all(
      agents.slice(start, start + atOnce).map(({ key }) => market.api('GET', '/api/agents/me', { key })),
    )
  const answers = await Promise.all(agents.map(({ key }) => market.act(bounty, 'claim', { key })))
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  const lost = answers.filter((answer) => answer !== won[0])
  for (const answer of lost) expectError(answer, 'bounty_not_open')
  expect(lost).toHaveLength(agentCount - 1)
  const row = await readRow(market.db, 'bounties', { id: bounty.id })
  expect(row).toMatchObject({ status: 'claimed', claimed_by: won[0]?.body.bounty.claimed_by })
  const told = await market.db
    .selectFrom('activity')
    .where('bounty_id', '=', bounty.id)
    .where('type', '=', 'bounty.claimed')
    .select('agent_id')
    .execute()
  expect(told).toEqual([{ agent_id: row?.claimed_by }])
}, 120_000)
