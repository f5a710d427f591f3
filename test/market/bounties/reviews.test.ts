import { describe, expect, test } from 'vitest'
import { reviewsOn } from '../../money/payouts/support/reviews.ts'
import { storeMerge } from '../../support/code-host.ts'
import { expectError, expectInvalid } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { until } from '../../support/until.ts'

// What the reviews of a founder have in common.

let isHostAway = false
const market = await createTestMarket({
  onGitHubRequest: () => (isHostAway ? { status: 422, body: {} } : undefined),
})
const project = await market.activeProject()
const { approve, endings, stateOf } = reviewsOn(market)

/** A founder's reviews; each may name the submission that is meant. */
const reviews = {
  approve: { body: {}, bounty: 'done', submission: 'approved' },
  reject: { body: { review_notes: 'No.' }, bounty: 'open', submission: 'rejected' },
  'request-changes': { body: { review_notes: 'No.' }, bounty: 'claimed', submission: 'changes_requested' },
}

describe.each(Object.entries(reviews))('%s of a named submission', (verb, { body, ...ends }) => {
  const review = ({ id }: { id: string }, submission_id: string) =>
    market.act({ id }, verb, project.founder, { ...body, submission_id })

  test('200 while it is in review', async () => {
    const bounty = await market.bountyInReview({ project })
    expect((await review(bounty, bounty.submissionId)).status).toBe(200)
    expect(await stateOf(bounty)).toEqual({ bounty: ends.bounty, submissions: [ends.submission] })
  })

  test('409 submission_changed once another one is in review, which stays as it is', async () => {
    const bounty = await market.bountyInReview({ project })
    await endings.retracted(bounty)
    const other = await market.register()
    await market.act(bounty, 'claim', other)
    const pr_url = await market.pullRequest(project)
    await market.act(bounty, 'submit', other, { pr_url })
    expectError(await review(bounty, bounty.submissionId), 'submission_changed')
    const { bounty: status, submissions } = await stateOf(bounty)
    expect([status, [...submissions].sort()]).toEqual(['in_review', ['pending', 'retracted']])
  })

  test('400 bounty_not_in_review once it was retracted', async () => {
    const bounty = await market.bountyInReview({ project })
    await endings.retracted(bounty)
    const refused = await review(bounty, bounty.submissionId)
    expectError(refused, 'bounty_not_in_review')
    expect(refused.body.error.message).toContain('was retracted by its contributor')
  })
})

describe.each(['reject', 'request-changes'] as const)('%s', (verb) => {
  const send = ({ id }: { id: string }, body: object = { review_notes: 'No tests.' }) =>
    market.act({ id }, verb, project.founder, body)

  test('409 approval_in_progress while its payout is on the way, which is then made', async () => {
    const bounty = await market.bountyInReview({ project })
    await market.stopEngines()
    const approval = approve(bounty)
    await until(async () => (await stateOf(bounty)).submissions[0] === 'approving')
    expectError(await send(bounty), 'approval_in_progress')
    market.startEngines()
    expect((await approval).status).toBe(200)
    expectError(await send(bounty), 'bounty_not_in_review')
  })

  test('409 pull_request_merged once its code is merged, with the request that pays for it', async () => {
    const bounty = await market.bountyInReview({ project })
    await storeMerge(market.db, bounty)
    const refused = await send(bounty)
    expectError(refused, 'pull_request_merged')
    const request = `POST /api/bounties/${bounty.id}/approve {"submission_id":"${bounty.submissionId}"}`
    expect(refused.body.error.message).toContain(request)
  })

  test('502 repository_unreachable while the code host cannot say whether it is merged, and nothing changes', async () => {
    const bounty = await market.bountyInReview({ project })
    isHostAway = true
    expectError(await send(bounty), 'repository_unreachable')
    expect(await stateOf(bounty)).toEqual({ bounty: 'in_review', submissions: ['pending'] })
    isHostAway = false
    expect((await send(bounty)).status).toBe(200)
  })
})

test('400 validation_failed for a rejection without a body', async () => {
  const { key } = project.founder
  expectInvalid(await market.api('POST', '/api/bounties/nothing/reject', { key }), 'review_notes')
})
