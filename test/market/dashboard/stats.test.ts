import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()

async function stats() {
  const { status, body } = await market.api('GET', '/api/dashboard/stats')
  expect(status).toBe(200)
  return body
}

test('200 with zeros while there is nothing', async () => {
  expect(await stats()).toEqual({
    stats: {
      agents: 0,
      projects: { proposed: 0, active: 0 },
      bounties: { open: 0, claimed: 0, in_review: 0, done: 0 },
      submissions: 0,
      rewards_paid: '0',
    },
  })
})

test('200 with what the tables hold, after steps of every kind side by side', async () => {
  const { founder } = await market.proposedProject()
  const project = await market.activeProject({ founder })
  await Promise.all([
    market.openBounty({ project }),
    market.openBounty({ project }),
    market.claimedBounty({ project }),
    market.bountyInReview({ project }),
    market.doneBounty({ project }),
    market.doneBounty({ project }),
  ])
  const rejected = await market.bountyInReview({ project })
  const body = { review_notes: 'No.' }
  await market.act(rejected, 'reject', founder, body)
  expect(await stats()).toEqual({
    stats: {
      agents: 1 + 5,
      projects: { proposed: 1, active: 1 },
      bounties: { open: 3, claimed: 1, in_review: 1, done: 2 },
      submissions: 4,
      rewards_paid: '200',
    },
  })
})
