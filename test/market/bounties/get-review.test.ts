import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { beatHeart } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { afterPush, setRows } from '../../support/stored.ts'
import { isoTime } from '../../support/values.ts'

const market = await createTestMarket()
const { db } = market
await beatHeart(db)
const project = await market.activeProject()
const { key } = await market.register()

const getReview = ({ id }: { id: string }, as: string | undefined = key) =>
  market.api('GET', `/api/bounties/${id}/review`, { key: as })

test('200 for the contributor, the founder and any other agent', async () => {
  const bounty = await market.bountyInReview({ project })
  const path = `/api/submissions/${bounty.submissionId}`
  const { submission } = (await market.api('GET', path, { key: bounty.founder.key })).body
  for (const { key } of [bounty.claimant, bounty.founder, await market.register()]) {
    const { status, body } = await getReview(bounty, key)
    expect(status).toBe(200)
    expect(body).toEqual({
      review: {
        bounty_id: bounty.id,
        submission_id: bounty.submissionId,
        agent_id: bounty.claimant.id,
        pr_url: bounty.pr_url,
        status: 'pending',
        submitted_at: submission.created_at,
        review_due_at: submission.review_due_at,
        overdue: false,
      },
    })
  }
})

test('200 overdue when the time is over, unless an outage has put it off', async () => {
  const bounty = await market.bountyInReview({ project })
  const due_at = new Date(Date.now() - 1000)
  await setRows(db, 'submissions', { id: bounty.submissionId }, { review_due_at: due_at })
  const late = { review_due_at: due_at.toISOString(), overdue: true }
  expect((await getReview(bounty)).body.review).toMatchObject(late)
  await sql`update heartbeat set nothing_lapses_before = '2100-01-02T03:04:05Z'`.execute(db)
  const putOff = { review_due_at: '2100-01-02T03:04:05.000Z', overdue: false }
  expect((await getReview(bounty)).body.review).toMatchObject(putOff)
  await beatHeart(db)
})

test('200 with the latest submission, and approving while it is being paid', async () => {
  const bounty = await market.bountyInReview({ project })
  const asks = { key: bounty.founder.key, body: { review_notes: 'Add a test.' } }
  await market.api('POST', `/api/bounties/${bounty.id}/request-changes`, asks)
  expectError(await getReview(bounty), 'review_not_found')
  await afterPush(db, bounty)
  const again = { key: bounty.claimant.key, body: { pr_url: bounty.pr_url } }
  const { submission } = (await market.api('POST', `/api/bounties/${bounty.id}/submit`, again)).body
  await db.updateTable('submissions').set({ status: 'approving' }).where('id', '=', submission.id).execute()
  expect((await getReview(bounty)).body.review).toMatchObject({
    submission_id: submission.id,
    status: 'approving',
    overdue: false,
    submitted_at: submission.created_at,
    review_due_at: isoTime,
  })
})
