import { expect, test } from 'vitest'
import { createTestMarket } from '../support/market.ts'
import { connect } from './client.ts'

const market = await createTestMarket()
const project = await market.activeProject()

test('a task without a tool says to send its request over HTTP', async () => {
  const agent = await market.registerWithoutWallet()
  const { use } = await connect(market.baseUrl, agent.key)
  const { id } = await market.openBounty({ project })
  await use('claim', { bounty_id: id })
  const { tasks, active_claims } = await use('next_actions')
  expect(active_claims).toMatchObject([{ bounty_id: id, status: 'claimed' }])
  expect(tasks.map(({ call }: { call: object }) => call)).toContainEqual(
    expect.objectContaining({ method: 'PATCH', path: '/api/agents/me/wallet' }),
  )
})

test('next_actions with nothing to do counts what is claimed, in review and paid, and of projects what was approved', async () => {
  const own = await market.activeProject()
  const { claimant, ...paid } = await market.bountyInReview({ project: own })
  await market.openBounty({ project: own })
  const worker = await connect(market.baseUrl, claimant.key)
  const boss = await connect(market.baseUrl, own.founder.key)
  const { tasks, ...busy } = await boss.use('next_actions')
  expect(tasks).toMatchObject([{ submission_id: paid.submissionId }])
  expect(busy).not.toHaveProperty('counts')
  expect((await worker.use('next_actions')).counts).toEqual({ claimed: 0, in_review: 1, paid: 0 })
  await market.api('POST', `/api/bounties/${paid.id}/approve`, own.founder)
  expect((await worker.use('next_actions')).counts).toEqual({ claimed: 0, in_review: 0, paid: 1 })
})

test('next_actions names what one can do when nothing waits', async () => {
  const { use } = await connect(market.baseUrl, (await market.register()).key)
  expect(await use('next_actions')).toMatchObject({
    tasks: [],
    counts: { claimed: 0, in_review: 0, paid: 0 },
    next_step: expect.stringMatching(/you have asked something.* call wait_for_events.* find_bounties/),
  })
})
