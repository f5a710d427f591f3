import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { reviewsOn } from '../../engines/payouts/support/reviews.ts'
import { storeMerge } from '../../support/code-host.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'
import { badTexts } from '../../support/values.ts'

let isHostAway = false
const market = await createTestMarket({
  settings: { CLAIM_HOURS_MEDIUM: '10' },
  onGitHubRequest: () => (isHostAway ? { status: 422, body: {} } : undefined),
})
afterAll(market.close)
const project = await market.activeProject()
const { founder } = project
const { approve, stateOf, submitsAgain } = reviewsOn(market)

const requestChanges = (
  { id }: { id: string },
  key: string | undefined,
  review_notes: unknown = 'No tests.',
  on = market,
) => on.api('POST', `/api/bounties/${id}/request-changes`, { key, body: { review_notes } })

test('200 and the claimant has the bounty again, with the time and the extensions of a new claim', async () => {
  const bounty = await market.bountyInReview({ project })
  const { id, claimant, submissionId } = bounty
  const { status, body } = await requestChanges(bounty, founder.key)
  expect(status).toBe(200)
  expect(body).toEqual({ bounty_id: id, status: 'claimed', submission_id: submissionId })
  expect(await stateOf(bounty)).toEqual({ bounty: 'claimed', submissions: ['changes_requested'] })
  const row = await market.db
    .selectFrom('bounties')
    .innerJoin('submissions', 'submissions.bounty_id', 'bounties.id')
    .where('bounties.id', '=', id)
    .select(['claimed_by', 'extensions_left', 'review_notes'])
    // The claim is renewed at the start of the transaction that ends the review.
    .select(sql<number>`round(extract(epoch from claim_expires_at - reviewed_at) / 3600)::int`.as('hours'))
    .executeTakeFirst()
  expect(row).toEqual({ claimed_by: claimant.id, extensions_left: 2, review_notes: 'No tests.', hours: 10 })
  const profile = await market.api('GET', '/api/agents/me', { key: claimant.key })
  expect(profile.body.agent.active_claims).toMatchObject([{ bounty_id: id, status: 'claimed' }])
  const feed = await market.api('GET', '/api/activity?limit=1')
  const ids = { agent_id: claimant.id, project_id: project.id, bounty_id: id, submission_id: submissionId }
  expect(feed.body.activity).toMatchObject([{ type: 'submission.changes_requested', ...ids }])
})

test('200 twice, and the third submission of the same claimant is paid, once', async () => {
  const first = await market.bountyInReview({ project })
  await requestChanges(first, founder.key)
  const second = await submitsAgain(first)
  await requestChanges(second, founder.key)
  const third = await submitsAgain(second)
  expect((await approve(third)).body).toMatchObject({ status: 'done', submission_id: third.submissionId })
  expect(await stateOf(first)).toEqual({
    bounty: 'done',
    submissions: ['approved', 'changes_requested', 'changes_requested'],
  })
  const wallet = first.claimant.wallet_address as string
  expect(await market.chain.balanceOf(project.token_address, wallet)).toBe(95n * 10n ** 18n)
})

test('200 once of ten at a time, the others 400 bounty_not_in_review', async () => {
  const bounty = await market.bountyInReview({ project })
  const answers = await Promise.all(Array.from({ length: 10 }, () => requestChanges(bounty, founder.key)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 200))
    expectError(answer, 'bounty_not_in_review')
})

test('400 bounty_not_in_review while open, claimed or done, and with how the review ended', async () => {
  const bounties = [
    await market.openBounty({ project }),
    await market.claimedBounty({ project }),
    await market.doneBounty({ project }),
  ]
  for (const bounty of bounties)
    expectError(await requestChanges(bounty, founder.key), 'bounty_not_in_review')
  const over = await market.bountyInReview({ project })
  await requestChanges(over, founder.key)
  const again = await requestChanges(over, founder.key)
  expectError(again, 'bounty_not_in_review')
  expect(again.body.error.message).toContain(`submission ${over.submissionId} was sent back for changes at `)
})

test('409 approval_in_progress while its payout is on the way, and nothing changes', async () => {
  const bounty = await market.bountyInReview({ project })
  await market.stopEngines()
  const approval = approve(bounty)
  await until(async () => (await stateOf(bounty)).submissions[0] === 'approving')
  expectError(await requestChanges(bounty, founder.key), 'approval_in_progress')
  market.startEngines()
  expect((await approval).status).toBe(200)
})

describe('400 validation_failed', () => {
  test.each(badTexts(5000).slice(1))('400 validation_failed for notes that are %s', async (_, notes) => {
    expectInvalid(await requestChanges({ id: 'nothing' }, founder.key, notes), 'review_notes')
  })

  test('400 validation_failed without notes', async () => {
    const path = '/api/bounties/nothing/request-changes'
    expectInvalid(await market.api('POST', path, { key: founder.key, body: {} }), 'review_notes')
  })
})

test('409 submission_changed if another submission is in review than the named one', async () => {
  const bounty = await market.bountyInReview({ project })
  const body = { submission_id: 'sub_00000000000000000000', review_notes: 'Well.' }
  const path = `/api/bounties/${bounty.id}/request-changes`
  expectError(await market.api('POST', path, { key: project.founder.key, body }), 'submission_changed')
})

test('409 pull_request_merged once its code is merged, with the request that pays for it', async () => {
  const bounty = await market.bountyInReview({ project })
  await storeMerge(market.db, bounty)
  const refused = await requestChanges(bounty, founder.key)
  expectError(refused, 'pull_request_merged')
  const request = `POST /api/bounties/${bounty.id}/approve {"submission_id":"${bounty.submissionId}"}`
  expect(refused.body.error.message).toContain(request)
})

test('502 repository_unreachable while the code host cannot say whether it is merged, and nothing changes', async () => {
  const bounty = await market.bountyInReview({ project })
  isHostAway = true
  expectError(await requestChanges(bounty, founder.key), 'repository_unreachable')
  const { body } = await market.api('GET', `/api/bounties/${bounty.id}`)
  expect(body.bounty).toMatchObject({ status: 'in_review', submissions: [{ status: 'pending' }] })
  isHostAway = false
  expect((await requestChanges(bounty, founder.key)).status).toBe(200)
})
