import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, createPool } from '../../../server/db/client.ts'
import { countStatements, type StatementCounter } from '../../bench/payouts/count.ts'
import { createTestMarket } from '../../support/market.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'

/*
 * What a payout costs the database, from the request to approve, authenticated and with an Idempotency-Key, to its
 * answer. Each statement waits for the one before it and counts as one round trip. Polling is counted by what a payout
 * needs of it: a look of the lane that takes it up and one that finds it mined, and one look for its outcome; whatever
 * else is polled goes on at a fixed pace, one statement for all that is under way, and is the same for none.
 */
const mostRoundTrips = 12
const neededOfPolling = 3
/** Polling of a lane is for everything in it. */
const inFlight = 16

const market = await createTestMarket({ sweepMs: 3_600_000 })
const own = createDatabase(createPool(market.databaseUrl, { size: 1, name: 'test' }))
let counter: StatementCounter
beforeAll(async () => {
  counter = countStatements('bounty-marketplace', new URL(market.databaseUrl).pathname.slice(1))
  // Opens the lane, which happens once.
  await market.doneBounty()
  await market.chain.node.setAutomine(false)
})
afterAll(async () => {
  counter.stop()
  await market.chain.node.setAutomine(true)
  await own.destroy()
  await market.close()
})

/** Approves all of them at once, mines when all of them are sent, and returns the statements that were work. */
async function approveTogether(bounties: SubmittedBounty[]): Promise<string[]> {
  counter.reset()
  const answers = bounties.map((bounty) =>
    market.api('POST', `/api/bounties/${bounty.id}/approve`, {
      key: bounty.founder.key,
      headers: { 'idempotency-key': bounty.id },
      body: {},
    }),
  )
  await until(async () => (await market.chain.node.getTxpoolStatus()).pending === bounties.length)
  await until(async () => (await sentAttempts()) === 0)
  await market.chain.node.mine({ blocks: 1 })
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
  const work = counter.texts('work')
  if (process.env.SHOW_STATEMENTS) console.log(work.join('\n'))
  return work
}

/** How many bytes are at the node of which the database does not know that yet. */
async function sentAttempts(): Promise<number> {
  const rows = await own.selectFrom('transaction_attempts').select('hash').where('sends', '=', 0).execute()
  return rows.length
}

async function bountiesInReview(count: number): Promise<SubmittedBounty[]> {
  await market.chain.node.setAutomine(true)
  const project = await market.activeProject()
  const bounties: SubmittedBounty[] = []
  for (let index = 0; index < count; index++) bounties.push(await market.bountyInReview({ project }))
  await market.chain.node.setAutomine(false)
  return bounties
}

test('a payout alone takes at most 12 round trips', async () => {
  const work = await approveTogether(await bountiesInReview(1))
  expect(work.length + neededOfPolling).toBeLessThanOrEqual(mostRoundTrips)
})

test('a payout among 16 in flight takes fewer', async () => {
  const work = await approveTogether(await bountiesInReview(inFlight))
  console.log(`${(work.length / inFlight).toFixed(2)} statements a payout among ${inFlight}`)
  expect(work.length / inFlight + neededOfPolling).toBeLessThanOrEqual(mostRoundTrips - 1)
})
