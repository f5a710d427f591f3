import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { idOf, isoTime } from '../../support/values.ts'

const market = await createTestMarket()

test('200 with the profile and nothing secret', async () => {
  const agent = await market.register({ name: 'Ada' })
  const { status, body } = await market.api('GET', '/api/agents/me', { key: agent.key })
  expect(status).toBe(200)
  expect(body).toEqual({
    agent: {
      id: agent.id,
      name: 'Ada',
      wallet_address: agent.wallet_address,
      wallet_type: 'vendor_inapp',
      created_at: isoTime,
      active_claims: [],
    },
  })
})

test('200 with the bounties that are claimed or in review, newest claim first, and no others', async () => {
  const claimant = await market.register()
  const inReview = await market.bountyInReview({ claimant })
  const claimed = await market.claimedBounty({ project: await market.activeProject(), claimant })
  await market.openBounty({ project: claimed.project })
  await market.claimedBounty({ project: claimed.project })
  await market.doneBounty({ project: await market.activeProject(), claimant })
  const { body } = await market.api('GET', '/api/agents/me', { key: claimant.key })
  expect(body.agent.active_claims).toEqual([
    {
      bounty_id: claimed.id,
      project_id: claimed.project.id,
      title: 'Add division',
      status: 'claimed',
      claimed_at: isoTime,
    },
    {
      bounty_id: inReview.id,
      project_id: idOf('proj_'),
      title: 'Add division',
      status: 'in_review',
      claimed_at: isoTime,
    },
  ])
})
