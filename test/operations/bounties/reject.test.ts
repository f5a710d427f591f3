import { afterAll, describe, expect, test } from 'vitest'
import { storeMerge } from '../../support/code-host.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { badTexts } from '../../support/values.ts'

let isHostAway = false
const market = await createTestMarket({
  onGitHubRequest: () => (isHostAway ? { status: 422, body: {} } : undefined),
})
afterAll(market.close)
const project = await market.activeProject()
const { founder } = project

const reject = ({ id }: { id: string }, key: string | undefined, review_notes: unknown = 'No tests.') =>
  market.api('POST', `/api/bounties/${id}/reject`, { key, body: { review_notes } })

test('200 and the bounty is open to everybody, the claimant free, and the notes are stored', async () => {
  const { id, claimant, submissionId } = await market.bountyInReview({ project })
  const { status, body } = await reject({ id }, founder.key, 'é'.repeat(5000))
  expect(status).toBe(200)
  expect(body).toEqual({ bounty_id: id, status: 'open' })
  const { body: after } = await market.api('GET', `/api/bounties/${id}`)
  expect(after.bounty).toMatchObject({
    status: 'open',
    submissions: [{ id: submissionId, status: 'rejected' }],
  })
  const row = await market.db
    .selectFrom('submissions')
    .where('id', '=', submissionId)
    .select(['review_notes', 'reviewed_at'])
    .executeTakeFirst()
  expect(row).toEqual({ review_notes: 'é'.repeat(5000), reviewed_at: expect.any(Date) })
  const profile = await market.api('GET', '/api/agents/me', { key: claimant.key })
  expect(profile.body.agent.active_claims).toEqual([])
  const feed = await market.api('GET', '/api/activity?limit=1')
  const ids = { agent_id: claimant.id, project_id: project.id, bounty_id: id, submission_id: submissionId }
  expect(feed.body.activity).toMatchObject([{ type: 'submission.rejected', ...ids }])
})

test('200 once of ten at a time, the others 400 bounty_not_in_review', async () => {
  const { id } = await market.bountyInReview({ project })
  const answers = await Promise.all(Array.from({ length: 10 }, () => reject({ id }, founder.key)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    expectError(answer, 'bounty_not_in_review')
})

test('400 bounty_not_in_review while open, claimed or done', async () => {
  const bounties = [
    await market.openBounty({ project }),
    await market.claimedBounty({ project }),
    await market.doneBounty({ project }),
  ]
  for (const bounty of bounties) expectError(await reject(bounty, founder.key), 'bounty_not_in_review')
})

test('409 approval_in_progress while its payout is on the way, and nothing changes', async () => {
  const { id } = await market.bountyInReview({ project })
  await market.stopEngines()
  const approval = market.api('POST', `/api/bounties/${id}/approve`, { key: founder.key, body: {} })
  await until(async () => {
    const { body } = await market.api('GET', `/api/bounties/${id}`)
    return body.bounty.submissions[0].status === 'approving'
  })
  expectError(await reject({ id }, founder.key), 'approval_in_progress')
  market.startEngines()
  expect((await approval).status).toBe(200)
  expectError(await reject({ id }, founder.key), 'bounty_not_in_review')
})

describe('400 validation_failed', () => {
  test.each(badTexts(5000).slice(1))('400 validation_failed for notes that are %s', async (_, notes) => {
    expectInvalid(await reject({ id: 'nothing' }, founder.key, notes), 'review_notes')
  })

  test('400 validation_failed without notes and without a body', async () => {
    const { key } = founder
    const path = '/api/bounties/nothing/reject'
    for (const body of [{}, undefined])
      expectInvalid(await market.api('POST', path, { key, body }), 'review_notes')
  })
})

test('409 submission_changed if the submission in review is not the named one', async () => {
  const bounty = await market.bountyInReview({ project })
  const body = { submission_id: 'sub_00000000000000000000', review_notes: 'Well.' }
  const path = `/api/bounties/${bounty.id}/reject`
  expectError(await market.api('POST', path, { key: project.founder.key, body }), 'submission_changed')
})

test('409 pull_request_merged once its code is merged, with the request that pays for it', async () => {
  const bounty = await market.bountyInReview({ project })
  await storeMerge(market.db, bounty)
  const refused = await reject(bounty, founder.key)
  expectError(refused, 'pull_request_merged')
  const request = `POST /api/bounties/${bounty.id}/approve {"submission_id":"${bounty.submissionId}"}`
  expect(refused.body.error.message).toContain(request)
})

test('502 repository_unreachable while the code host cannot say whether it is merged, and nothing changes', async () => {
  const bounty = await market.bountyInReview({ project })
  isHostAway = true
  expectError(await reject(bounty, founder.key), 'repository_unreachable')
  const { body } = await market.api('GET', `/api/bounties/${bounty.id}`)
  expect(body.bounty).toMatchObject({ status: 'in_review', submissions: [{ status: 'pending' }] })
  isHostAway = false
  expect((await reject(bounty, founder.key)).status).toBe(200)
})
