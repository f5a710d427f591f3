import { afterAll, describe, expect, test } from 'vitest'
import { reviewsOn } from '../../engines/payouts/support/reviews.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
afterAll(market.close)
const project = await market.activeProject()
const { founder } = project
const { endings, submitsAgain } = reviewsOn(market)

const cancel = ({ id }: { id: string }, key: string | undefined) =>
  market.api('POST', `/api/bounties/${id}/cancel`, { key })

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
  await market.api('POST', `/api/bounties/${bounty.id}/claim`, { key: bounty.claimant.key })
  const again = await submitsAgain(bounty)
  await endings.retracted(again)
  expect((await cancel(bounty, founder.key)).status).toBe(200)
})

test('200 once of ten at a time, the others 404 bounty_cancelled', async () => {
  const bounty = await market.openBounty({ project })
  const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(bounty, founder.key)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 'bounty_cancelled')
})

describe('to everybody else a cancelled bounty', async () => {
  const title = 'Subtract without borrowing'
  const bounty = await market.openBounty({ project, title })
  // The response cache knows it.
  await market.api('GET', `/api/bounties/${bounty.id}`)
  await cancel(bounty, founder.key)
  const listed = await market.openBounty({ project, title })
  const other = await market.register()
  const body = { pr_url: await market.pullRequest(project) }

  test.each([
    ['GET', '', other, undefined],
    ['POST', '/claim', other, undefined],
    ['POST', '/claim', founder, undefined],
    ['POST', '/submit', other, body],
    ['POST', '/approve', founder, {}],
    ['POST', '/approve', other, {}],
    ['POST', '/reject', founder, { review_notes: 'No.' }],
    ['POST', '/request-changes', founder, { review_notes: 'No.' }],
    ['POST', '/cancel', founder, undefined],
    ['POST', '/cancel', other, undefined],
  ])('is 404 bounty_cancelled: %s %s', async (method, action, { key }, body) => {
    const answer = await market.api(method, `/api/bounties/${bounty.id}${action}`, { key, body })
    expectError(answer, 'bounty_cancelled')
    expect(answer.body.error.message).toBe('The founder has cancelled this bounty.')
  })

  const ofProject = `&project_id=${project.id}`
  test.each([
    ...['', '&q=borrowing', '&q=bo', '&status=open', '&difficulty=medium', '&status=open&q=borrowing'],
    ...[ofProject, `${ofProject}&q=borrowing`, `${ofProject}&status=open&difficulty=medium`],
  ])('is in no list: %s', async (filter) => {
    const path = `/api/bounties?limit=100${filter}`
    const ids = (await market.api('GET', path)).body.bounties.map(({ id }: { id: string }) => id)
    expect(ids).toContain(listed.id)
    expect(ids).not.toContain(bounty.id)
  })
})
