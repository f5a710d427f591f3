import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { reviewsOn } from '../../money/payouts/support/reviews.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket({ settings: { CLAIM_HOURS_MEDIUM: '10' } })
const project = await market.activeProject()
const { founder } = project
const { approve, stateOf, submitsAgain } = reviewsOn(market)

const requestChanges = ({ id }: { id: string }) =>
  market.act({ id }, 'request-changes', founder, { review_notes: 'No tests.' })

test('200 and the claimant has the bounty again, with the time and the extensions of a new claim', async () => {
  const bounty = await market.bountyInReview({ project })
  const { id, claimant, submissionId } = bounty
  const { status, body } = await requestChanges(bounty)
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
  await requestChanges(first)
  const second = await submitsAgain(first)
  await requestChanges(second)
  const third = await submitsAgain(second)
  expect((await approve(third)).body).toMatchObject({ status: 'done', submission_id: third.submissionId })
  expect(await stateOf(first)).toEqual({
    bounty: 'done',
    submissions: ['approved', 'changes_requested', 'changes_requested'],
  })
  const wallet = first.claimant.wallet_address as string
  expect(await market.chain.balanceOf(project.token_address, wallet)).toBe(95n * 10n ** 18n)
})
