import { expect, test } from 'vitest'
import { reviewsOn } from '../../money/payouts/support/reviews.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'

const market = await createTestMarket()
const project = await market.activeProject()
const { approve, reject, stateOf, anotherSubmits } = reviewsOn(market)

const retract = (
  { submissionId }: { submissionId: string },
  key: string | undefined,
  on: Pick<typeof market, 'api'> = market,
  headers = {},
) => on.api('POST', `/api/submissions/${submissionId}/retract`, { key, headers })

test('200 and the bounty is open to everybody, the contributor free for another one', async () => {
  const bounty = await market.bountyInReview({ project })
  const { id, claimant, submissionId } = bounty
  const { status, body } = await retract(bounty, claimant.key)
  expect(status).toBe(200)
  expect(body).toEqual({ submission_id: submissionId, status: 'retracted', bounty_id: id })
  expect(await stateOf(bounty)).toEqual({ bounty: 'open', submissions: ['retracted'] })
  const feed = await market.api('GET', '/api/activity?limit=1')
  const ids = { agent_id: claimant.id, project_id: project.id, bounty_id: id, submission_id: submissionId }
  expect(feed.body.activity).toMatchObject([{ type: 'submission.retracted', ...ids }])
  const profile = await market.api('GET', '/api/agents/me', { key: claimant.key })
  expect(profile.body.agent.active_claims).toEqual([])
  const other = await market.openBounty({ project })
  expect((await market.act(other, 'claim', claimant)).status).toBe(200)
  const row = await readRow(market.db, 'submissions', { id: submissionId })
  expect(row).toMatchObject({ review_notes: null, reviewed_at: expect.any(Date) })
})

test('409 submission_not_pending for one that was approved, rejected or retracted, whatever is in review now', async () => {
  const approved = await market.doneBounty({ project })
  const rejected = await market.bountyInReview({ project })
  await reject(rejected)
  const retracted = await market.bountyInReview({ project })
  await retract(retracted, retracted.claimant.key)
  await anotherSubmits(retracted)
  for (const [bounty, status] of Object.entries({ approved, rejected, retracted }).map(
    ([name, each]) => [each, name] as const,
  )) {
    const refused = await retract(bounty, bounty.claimant.key)
    expectError(refused, 'submission_not_pending')
    expect(refused.body.error.message).toBe(`The submission is \`${status}\`.`)
  }
  expect(await stateOf(retracted)).toEqual({ bounty: 'in_review', submissions: ['pending', 'retracted'] })
})

test('409 approval_in_progress while its payout is on the way, which is then made', async () => {
  const bounty = await market.bountyInReview({ project })
  await market.stopEngines()
  const approval = approve(bounty)
  await until(async () => (await stateOf(bounty)).submissions[0] === 'approving')
  expectError(await retract(bounty, bounty.claimant.key), 'approval_in_progress')
  market.startEngines()
  expect((await approval).status).toBe(200)
  expectError(await retract(bounty, bounty.claimant.key), 'submission_not_pending')
})

test('400 bounty_not_in_review for the approval of a retracted submission, with how it ended', async () => {
  const bounty = await market.bountyInReview({ project })
  await retract(bounty, bounty.claimant.key)
  const late = await approve(bounty)
  expectError(late, 'bounty_not_in_review')
  expect(late.body.error.message).toContain(
    `submission ${bounty.submissionId} was retracted by its contributor`,
  )
})
