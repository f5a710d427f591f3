import { beforeEach, expect, test } from 'vitest'
import { keepReport } from '../../../server/code/pull-requests/reports.ts'
import type { ErrorCode } from '../../../server/errors.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import { proxyPage } from '../../support/request-faults.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow, setRows } from '../../support/stored.ts'

// Approvals that name the commit which was reviewed.

const scene = await createPullRequestMarket()
const { market, host, served, report } = scene
const project = await market.activeProject()
beforeEach(() => {
  host.respond = () => undefined
})

const other = 'b'.repeat(40)
const headOf = async ({ pr_url }: SubmittedBounty) => (await scene.row(pr_url)).head_sha

/** The code in an outcome such as `409 pull_request_changed`. */
const codeOf = (outcome: string) => outcome.split(' ')[1] as ErrorCode

async function approve(bounty: SubmittedBounty, expected_head_sha: unknown, api = served.api) {
  const body = { submission_id: bounty.submissionId, expected_head_sha }
  return api('POST', `/api/bounties/${bounty.id}/approve`, { key: bounty.founder.key, body })
}

/** Whether anything was stored that could pay the bounty. */
async function isPaidOrBeingPaid({ submissionId }: SubmittedBounty): Promise<boolean> {
  const payouts = market.db.selectFrom('payouts').select('status').where('submission_id', '=', submissionId)
  return (await payouts.execute()).length > 0
}

test('200 pays for the commit that was reviewed', async () => {
  const bounty = await market.bountyInReview({ project })
  const { status, body } = await approve(bounty, await headOf(bounty))
  expect([status, body.status]).toEqual([200, 'done'])
})

test('200 for a commit that was merged before', async () => {
  const bounty = await market.bountyInReview({ project })
  const merged_at = new Date().toISOString()
  report(bounty.pr_url, { merged: true, merged_at, state: 'closed', merge_commit_sha: other })
  expect((await approve(bounty, await headOf(bounty))).status).toBe(200)
})

test.each([
  ['that no list of the host has yet', { status: 200, body: [] }],
  ['of which the host fails to list anything', { status: 502, body: {} }],
])('200 for a commit that was merged a moment ago and %s, while a rejection is 502', async (_, list) => {
  const bounty = await market.bountyInReview({ project })
  const reviewed = await headOf(bounty)
  const merged_at = new Date().toISOString()
  report(bounty.pr_url, { merged: true, merged_at, state: 'closed', merge_commit_sha: other })
  host.contained.add(reviewed)
  host.respond = ({ path }) => (/\/commits\/\w+\/pulls/.test(path) ? list : undefined)
  const body = { submission_id: bounty.submissionId, review_notes: 'No.' }
  const { key } = bounty.founder
  const rejected = await served.api('POST', `/api/bounties/${bounty.id}/reject`, { key, body })
  expectError(rejected, 'repository_unreachable')
  expect((await approve(bounty, reviewed)).status).toBe(200)
})

test('400 pull_request_invalid for a commit that was merged before the claim, and not seen open since; nothing is paid', async () => {
  const bounty = await market.bountyInReview({ project })
  const twoHoursAgo = new Date(Date.now() - 7_200_000)
  await setRows(market.db, 'pull_requests', { url: bounty.pr_url }, { refreshed_at: twoHoursAgo })
  const merged_at = new Date(Date.now() - 3_600_000).toISOString()
  report(bounty.pr_url, { merged: true, merged_at, state: 'closed', merge_commit_sha: other })
  expectError(await approve(bounty, await headOf(bounty)), 'pull_request_invalid')
  expect(await isPaidOrBeingPaid(bounty)).toBe(false)
})

test.each([
  ['409 pull_request_changed', { head: { sha: other } }],
  ['409 pull_request_not_mergeable', { state: 'closed' }],
  ['409 pull_request_not_mergeable', { draft: true }],
  ['409 pull_request_not_mergeable', { mergeable: false }],
] as const)('%s and nothing is paid, although the stored facts are older: %j', async (outcome, members) => {
  const bounty = await market.bountyInReview({ project })
  const reviewed = await headOf(bounty)
  report(bounty.pr_url, members)
  expectError(await approve(bounty, reviewed), codeOf(outcome))
  expect(await isPaidOrBeingPaid(bounty)).toBe(false)
})

test.each([
  ['404 pull_request_gone', { status: 404, body: { message: 'Not Found' } }],
  ['502 repository_unreachable', proxyPage],
  ['502 repository_unauthorized', { status: 401, body: { message: 'Bad credentials' } }],
  ['502 repository_blocked', { status: 451, body: { message: 'Repository access blocked' } }],
] as const)('%s and nothing is paid, if the code host does not tell', async (outcome, response) => {
  const bounty = await market.bountyInReview({ project })
  const reviewed = await headOf(bounty)
  host.respond = ({ path }) => (path.includes('/pulls/') ? response : undefined)
  expectError(await approve(bounty, reviewed), codeOf(outcome))
  expect(await isPaidOrBeingPaid(bounty)).toBe(false)
})

test('409 pull_request_changed for another commit than the one that is being paid', async () => {
  const bounty = await market.bountyInReview({ project })
  const hasty = await createTestMarket({
    sharing: market,
    engines: false,
    settings: { APPROVE_WAIT_SECONDS: '1' },
  })
  const reviewed = await headOf(bounty)
  await market.stopEngines()
  expectError(await approve(bounty, reviewed, hasty.api), 'payout_unconfirmed')
  expectError(await approve(bounty, other, hasty.api), 'pull_request_changed')
  expectError(await approve(bounty, reviewed, hasty.api), 'payout_unconfirmed')
  market.startEngines()
})

test('503 repositories_not_configured and nothing is paid', async () => {
  const bounty = await market.bountyInReview({ project })
  const without = await createTestMarket({ sharing: market, engines: false, without: ['repositories'] })
  expectError(await approve(bounty, await headOf(bounty), without.api), 'repositories_not_configured')
  expect(await isPaidOrBeingPaid(bounty)).toBe(false)
})

test('409 pull_request_changed without a commit, where commits came after the submission, names both; 200 with it', async () => {
  const bounty = await market.bountyInReview({ project })
  const submitted = await headOf(bounty)
  report(bounty.pr_url, { head: { sha: other } })
  await scene.age(bounty.pr_url)
  await served.api('GET', `/api/submissions/${bounty.submissionId}/pull-request`, { key: bounty.founder.key })
  const refused = await approve(bounty, undefined)
  expectError(refused, 'pull_request_changed')
  expect(refused.body.error.message).toContain(
    `${submitted} was submitted, and the newest commit is ${other}`,
  )
  expect(await isPaidOrBeingPaid(bounty)).toBe(false)
  expect((await approve(bounty, other)).status).toBe(200)
})

/** A push that the host's webhook has reported, and that nobody has read. */
async function unreadPush(): Promise<SubmittedBounty> {
  const bounty = await market.bountyInReview({ project })
  const changed_at = new Date(Date.now() + 1000)
  report(bounty.pr_url, { head: { sha: other }, updated_at: changed_at.toISOString() })
  const { repository_id } = await readRow(market.db, 'projects', { id: project.id })
  const number = Number(bounty.pr_url.split('/').at(-1))
  const state = { is_open: true, merged: false, is_opening: false }
  const repository = { repository_id: repository_id as number, number, head_ref: 'work' }
  await keepReport(market.db, { ...repository, ...state, changed_at })
  return bounty
}

test('409 pull_request_changed without a commit, where a push was reported and not read', async () => {
  const bounty = await unreadPush()
  expectError(await approve(bounty, undefined), 'pull_request_changed')
  expect(await isPaidOrBeingPaid(bounty)).toBe(false)
})

test('502 repository_unreachable without a commit, where a push was reported and the code host does not respond; 200 where none was', async () => {
  const bounty = await unreadPush()
  const other = await market.bountyInReview({ project })
  host.respond = ({ path }) => (path.includes('/pulls/') ? proxyPage : undefined)
  expectError(await approve(bounty, undefined), 'repository_unreachable')
  expect(await isPaidOrBeingPaid(bounty)).toBe(false)
  expect((await approve(other, undefined)).status).toBe(200)
})

test('404 pull_request_gone names the way to approve what was submitted where the host hides the pull request, which has changed since: 200', async () => {
  const bounty = await market.bountyInReview({ project })
  const { repository_id } = await readRow(market.db, 'projects', { id: project.id })
  const repo = { id: Number(repository_id), default_branch: 'main' }
  report(bounty.pr_url, { head: { sha: other }, base: { ref: 'next', repo } })
  await scene.age(bounty.pr_url)
  await served.api('GET', `/api/submissions/${bounty.submissionId}/pull-request`, { key: bounty.founder.key })
  expectError(await approve(bounty, undefined), 'pull_request_not_mergeable')
  host.respond = ({ path }) =>
    path.includes('/pulls/') ? { status: 404, body: { message: 'Not Found' } } : undefined
  const refused = await approve(bounty, other)
  expectError(refused, 'pull_request_gone')
  expect(refused.body.error.message).toContain('without `expected_head_sha`')
  expect(await isPaidOrBeingPaid(bounty)).toBe(false)
  expect((await approve(bounty, undefined)).status).toBe(200)
})

test('409 pull_request_not_mergeable while it goes into another branch; both hear of it, and 200 with the commit, which is merged by its hash', async () => {
  const bounty = await market.bountyInReview({ project })
  const into = async (ref: string) => {
    report(bounty.pr_url, { base: { ref, repo: { id: repositoryId, default_branch: 'main' } } })
    await scene.age(bounty.pr_url)
    await served.api('GET', `/api/submissions/${bounty.submissionId}/pull-request`, {
      key: bounty.founder.key,
    })
  }
  const repositoryId = Number((await readRow(market.db, 'projects', { id: project.id })).repository_id)
  await into('next')
  expect(await scene.entries(bounty.pr_url)).toMatchObject([
    { type: 'pull_request.updated', data: { into_default: false } },
  ])
  const { tasks } = (await market.api('GET', '/api/agents/me/tasks', { key: bounty.claimant.key })).body
  expect(tasks).toMatchObject([{ action: 'repair_pull_request' }])
  const refused = await approve(bounty, undefined)
  expectError(refused, 'pull_request_not_mergeable')
  expect(refused.body.error.message).toContain('goes into the branch next')
  expect(await isPaidOrBeingPaid(bounty)).toBe(false)
  expect((await approve(bounty, await headOf(bounty))).status).toBe(200)
})
