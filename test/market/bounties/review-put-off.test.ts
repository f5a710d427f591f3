import { beforeEach, expect, test } from 'vitest'
import { reviewIsOverdue } from '../../../server/lifecycle/deadlines.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow, setRows } from '../../support/stored.ts'

/* The founder decides before the review is due, and cannot be heard. */
const { market, host, served, sharing } = await createPullRequestMarket()
/** A process that reaches the chain by a proxy. */
const proxied = await createTestMarket({ sharing, engines: false, proxied: true })
const project = await market.activeProject()
const { db } = market
const hour = 3_600_000
const day = 24 * hour
beforeEach(async () => {
  host.respond = () => undefined
  await beatHeart(db)
})

const inMs = (ms: number) => new Date(Date.now() + ms)
const codes: Record<number, [string, object?]> = {
  503: ['repository_unreachable'],
  401: ['repository_unauthorized'],
  403: ['repository_unauthorized'],
  429: ['repository_limited', { 'retry-after': '1' }],
}
/** The host has this status for everything. */
function fail(status: number) {
  const headers = { ...codes[status]?.[1] }
  host.respond = () => ({ status, headers, body: { message: 'No' } })
}
const dueAt = async ({ submissionId: id }: SubmittedBounty) =>
  Number((await readRow(db, 'submissions', { id })).review_due_at) - Date.now()

/** A review that is due in so many ms, of what was submitted so long before. */
async function review(ms: number, age = 7 * day - ms): Promise<SubmittedBounty> {
  const bounty = await market.bountyInReview({ project })
  const times = { review_due_at: inMs(ms), created_at: inMs(-age) }
  await setRows(db, 'submissions', { id: bounty.submissionId }, times)
  return bounty
}
async function decide(
  { id, founder, submissionId, pr_url }: SubmittedBounty,
  verb: string,
  { api } = served,
) {
  const { head_sha } = await readRow(db, 'pull_requests', { url: pr_url })
  const body =
    verb === 'approve'
      ? { submission_id: submissionId, expected_head_sha: head_sha }
      : { submission_id: submissionId, review_notes: 'No.' }
  return api('POST', `/api/bounties/${id}/${verb}`, { key: founder.key, body })
}

test.each([
  ['reject', 503],
  ['request-changes', 503],
  ['approve', 503],
  ['reject', 401],
  ['reject', 403],
  ['reject', 429],
])('to %s while the code host says %i puts a review off by an hour', async (verb, status) => {
  const bounty = await review(60_000)
  fail(status)
  expectError(await decide(bounty, verb), codes[status]?.[0] as never)
  expect(Math.abs((await dueAt(bounty)) - hour)).toBeLessThan(30_000)
})

test.each(['reject', 'approve'])('to %s while no node of the chain responds does so, too', async (verb) => {
  const bounty = await review(60_000)
  proxied.chainProxy.disconnect()
  expectError(await decide(bounty, verb, proxied), 'chain_unreachable')
  proxied.chainProxy.restore()
  expect(Math.abs((await dueAt(bounty)) - hour)).toBeLessThan(30_000)
})

test('a review is put off by a day in all', async () => {
  const bounty = await review(60_000, 8 * day - 120_000)
  fail(503)
  expectError(await decide(bounty, 'reject'), 'repository_unreachable')
  expect(Math.abs((await dueAt(bounty)) - 120_000)).toBeLessThan(30_000)
})

test('one that was due before is not put off', async () => {
  const bounty = await review(-60_000)
  fail(503)
  expectError(await decide(bounty, 'reject'), 'repository_unreachable')
  expect(await dueAt(bounty)).toBeLessThan(0)
})

test('what the contributor cannot take back puts nothing off', async () => {
  const bounty = await review(60_000)
  proxied.chainProxy.disconnect()
  const path = `/api/submissions/${bounty.submissionId}/retract`
  expectError(await proxied.api('POST', path, { key: bounty.claimant.key }), 'chain_unreachable')
  proxied.chainProxy.restore()
  expect(await dueAt(bounty)).toBeLessThan(60_001)
})

test.each<[boolean, 'payouts_disabled' | 'payout_limit_reached' | 'insufficient_funds' | null]>([
  [false, 'payouts_disabled'],
  [true, 'payout_limit_reached'],
  [true, 'insufficient_funds'],
  [true, null],
])('a review is overdue (%s) where what is accepted waits for %s', async (isOverdue, acceptance_blocked) => {
  const { submissionId } = await review(-60_000)
  await setRows(db, 'submissions', { id: submissionId }, { acceptance_blocked })
  const { overdue } = await db
    .selectFrom('submissions')
    .where('id', '=', submissionId)
    .select(reviewIsOverdue.as('overdue'))
    .executeTakeFirstOrThrow()
  expect(overdue).toBe(isOverdue)
})
