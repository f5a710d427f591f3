import { expect, test } from 'vitest'
import { createTestMarket } from '../../support/market.ts'
import { readRow } from '../../support/stored.ts'

const market = await createTestMarket()
const project = await market.activeProject()
const { founder } = project

test('200 and the bounty is open to everybody, the claimant free, and the notes are stored', async () => {
  const { id, claimant, submissionId } = await market.bountyInReview({ project })
  const { status, body } = await market.act({ id }, 'reject', founder, { review_notes: 'é'.repeat(5000) })
  expect(status).toBe(200)
  expect(body).toEqual({ bounty_id: id, status: 'open' })
  const { body: after } = await market.api('GET', `/api/bounties/${id}`)
  expect(after.bounty).toMatchObject({
    status: 'open',
    submissions: [{ id: submissionId, status: 'rejected' }],
  })
  const row = await readRow(market.db, 'submissions', { id: submissionId })
  expect(row).toMatchObject({ review_notes: 'é'.repeat(5000), reviewed_at: expect.any(Date) })
  const profile = await market.api('GET', '/api/agents/me', { key: claimant.key })
  expect(profile.body.agent.active_claims).toEqual([])
  const feed = await market.api('GET', '/api/activity?limit=1')
  const ids = { agent_id: claimant.id, project_id: project.id, bounty_id: id, submission_id: submissionId }
  expect(feed.body.activity).toMatchObject([{ type: 'submission.rejected', ...ids }])
})
