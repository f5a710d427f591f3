import { afterAll, describe, expect, test } from 'vitest'
import { reviewsOn } from '../../engines/payouts/support/reviews.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'

const market = await createTestMarket()
afterAll(market.close)
const project = await market.activeProject()
const { endings, stateOf } = reviewsOn(market)

/** A founder's reviews; each may name the submission that is meant. */
const reviews = {
  approve: { body: {}, bounty: 'done', submission: 'approved' },
  reject: { body: { review_notes: 'No.' }, bounty: 'open', submission: 'rejected' },
  'request-changes': { body: { review_notes: 'No.' }, bounty: 'claimed', submission: 'changes_requested' },
}

describe.each(Object.entries(reviews))('%s of a named submission', (verb, { body, ...ends }) => {
  const review = ({ id }: { id: string }, submission_id: string) =>
    market.api('POST', `/api/bounties/${id}/${verb}`, {
      key: project.founder.key,
      body: { ...body, submission_id },
    })

  test('200 while it is in review', async () => {
    const bounty = await market.bountyInReview({ project })
    expect((await review(bounty, bounty.submissionId)).status).toBe(200)
    expect(await stateOf(bounty)).toEqual({ bounty: ends.bounty, submissions: [ends.submission] })
  })

  test('409 submission_changed once another one is in review, which stays as it is', async () => {
    const bounty = await market.bountyInReview({ project })
    await endings.retracted(bounty)
    const other = await market.register()
    await market.api('POST', `/api/bounties/${bounty.id}/claim`, { key: other.key })
    const pr_url = await market.pullRequest(project)
    await market.api('POST', `/api/bounties/${bounty.id}/submit`, { key: other.key, body: { pr_url } })
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
