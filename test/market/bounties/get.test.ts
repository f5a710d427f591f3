import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { isoTime } from '../../support/values.ts'

const market = await createTestMarket()

test('200 with no submissions while open', async () => {
  const { id, project } = await market.openBounty()
  const { status, body } = await market.api('GET', `/api/bounties/${id}`)
  expect(status).toBe(200)
  expect(body).toEqual({
    bounty: {
      id,
      project_id: project.id,
      title: 'Add division',
      description: 'Without remainder.',
      reward_amount: 100,
      difficulty: 'medium',
      status: 'open',
      created_at: isoTime,
      submissions: [],
    },
  })
})

test('200 with every submission, newest first, and neither agents nor notes', async () => {
  const first = await market.bountyInReview()
  const { id, founder, project, claimant } = first
  const reject = { key: founder.key, body: { review_notes: 'Not yet.' } }
  await market.api('POST', `/api/bounties/${id}/reject`, reject)
  await market.act({ id }, 'claim', claimant)
  const pr_url = await market.pullRequest(project)
  const second = await market.act({ id }, 'submit', claimant, { pr_url })
  const { body } = await market.api('GET', `/api/bounties/${id}`)
  expect(body.bounty.status).toBe('in_review')
  expect(body.bounty.submissions).toEqual([
    { id: second.body.submission.id, pr_url, status: 'pending', created_at: isoTime },
    { id: first.submissionId, pr_url: first.pr_url, status: 'rejected', created_at: isoTime },
  ])
})
