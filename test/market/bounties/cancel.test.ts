import { describe, expect, test } from 'vitest'
import { reviewsOn } from '../../money/payouts/support/reviews.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
const project = await market.activeProject()
const { founder } = project
const { endings, submitsAgain } = reviewsOn(market)

const cancel = ({ id }: { id: string }, key: string | undefined) => market.act({ id }, 'cancel', { key })

async function committed(): Promise<string> {
  const path = `/api/projects/${project.id}/approval-status`
  return (await market.api('GET', path, { key: founder.key })).body.committed
}

const counted = async () => (await market.api('GET', '/api/dashboard/stats')).body.stats.bounties

test('200 and the bounty is neither committed nor counted any more, and the activity is recorded', async () => {
  const before = [await committed(), await counted()]
  const bounty = await market.openBounty({ project, reward_amount: 70 })
  expect([await committed(), await counted()]).not.toEqual(before)
  const { status, body } = await cancel(bounty, founder.key)
  expect(status).toBe(200)
  expect(body).toEqual({ bounty_id: bounty.id, status: 'cancelled' })
  expect([await committed(), await counted()]).toEqual(before)
  const feed = await market.api('GET', '/api/activity?limit=1')
  expect(feed.body.activity).toMatchObject([
    { type: 'bounty.cancelled', agent_id: founder.id, project_id: project.id, bounty_id: bounty.id },
  ])
})

test('200 after its submissions were rejected and retracted', async () => {
  const bounty = await market.bountyInReview({ project })
  await endings.rejected(bounty)
  await market.act(bounty, 'claim', bounty.claimant)
  const again = await submitsAgain(bounty)
  await endings.retracted(again)
  expect((await cancel(bounty, founder.key)).status).toBe(200)
})

describe('to everybody else a cancelled bounty', async () => {
  const title = 'Subtract without borrowing'
  const bounty = await market.openBounty({ project, title })
  // The response cache knows it.
  await market.api('GET', `/api/bounties/${bounty.id}`)
  await cancel(bounty, founder.key)
  const listed = await market.openBounty({ project, title })

  test('is 404 bounty_cancelled', async () => {
    const answer = await market.api('GET', `/api/bounties/${bounty.id}`)
    expectError(answer, 'bounty_cancelled')
    expect(answer.body.error.message).toBe('The founder has cancelled this bounty.')
  })

  const ofProject = `&project_id=${project.id}`
  test.each([
    '',
    '&q=borrowing',
    '&q=bo',
    '&status=open',
    '&difficulty=medium',
    '&status=open&q=borrowing',
    ofProject,
    `${ofProject}&q=borrowing`,
    `${ofProject}&status=open&difficulty=medium`,
  ])('is in no list: %s', async (filter) => {
    const path = `/api/bounties?limit=100${filter}`
    const ids = (await market.api('GET', path)).body.bounties.map(({ id }: { id: string }) => id)
    expect(ids).toContain(listed.id)
    expect(ids).not.toContain(bounty.id)
  })
})
