import { afterEach, describe, expect, test } from 'vitest'
import { branchFor } from '../../../server/lifecycle/pull-requests/attribution.ts'
import { expectError } from '../../support/errors.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import type { ClaimedBounty, TestAgent } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'

// One pull request, one payment: whose work it is decides first, then who was first.
const scene = await createPullRequestMarket()
const { market, served, report } = scene
const project = await market.activeProject()

const post = (path: string, { key }: TestAgent, body?: unknown) => served.api('POST', path, { key, body })
const submit = ({ id, claimant }: ClaimedBounty, pr_url: string) =>
  post(`/api/bounties/${id}/submit`, claimant, { pr_url })
const approve = ({ id, founder }: ClaimedBounty) => post(`/api/bounties/${id}/approve`, founder, {})
const claimed = () => market.claimedBounty({ project })
const bountyOf = async ({ id }: { id: string }) =>
  (await market.api('GET', `/api/bounties/${id}`)).body.bounty
/** A pull request from a branch whose name begins so. */
async function pullRequest(branch = 'weeks', members: Record<string, unknown> = {}): Promise<string> {
  const url = await market.pullRequest(project, branch)
  report(url, members)
  return url
}
const naming = ({ id, claimant }: ClaimedBounty) => branchFor(claimant.id, id)

async function expectUnpaid(bounty: ClaimedBounty): Promise<void> {
  expect(await bountyOf(bounty)).toMatchObject({ status: 'claimed', submissions: [] })
}

test('400 pull_request_taken, with its bounty, for one that is under review, and for one that was paid', async () => {
  const first = await market.bountyInReview({ project })
  const second = await claimed()
  const underReview = await submit(second, first.pr_url)
  expectError(underReview, 'pull_request_taken')
  expect(underReview.body.error.message).toContain(first.id)
  expect((await approve(first)).status).toBe(200)
  const paid = await submit(second, first.pr_url)
  expectError(paid, 'pull_request_taken')
  expect(paid.body.error.message).toContain(first.id)
  await expectUnpaid(second)
})

test('400 pull_request_taken for all but one of five claimants at once', async () => {
  const bounties = await Promise.all(Array.from({ length: 5 }, claimed))
  const url = await pullRequest()
  const responses = await Promise.all(bounties.map((bounty) => submit(bounty, url)))
  const refused = responses.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(4)
  for (const response of refused) expectError(response, 'pull_request_taken')
})

test('400 pull_request_invalid for one that names another agent, before and after that agent submits it', async () => {
  const victim = await claimed()
  const thief = await claimed()
  const url = await pullRequest(naming(victim))
  expectError(await submit(thief, url), 'pull_request_invalid')
  expect((await submit(victim, url)).status).toBe(201)
  const late = await submit(thief, url)
  expectError(late, 'pull_request_invalid')
  expect(late.body.error.message).toContain(victim.claimant.id)
  await expectUnpaid(thief)
})

test('400 pull_request_invalid for one whose branch names another bounty of the same agent', async () => {
  const { id } = await market.openBounty({ project })
  const bounty = await claimed()
  const refused = await submit(bounty, await pullRequest(branchFor(bounty.claimant.id, id)))
  expectError(refused, 'pull_request_invalid')
  expect(refused.body.error.message).toContain(`${bounty.claimant.id} for ${id}`)
  await expectUnpaid(bounty)
})

test('the branch decides, whatever the description and the author say', async () => {
  const victim = await claimed()
  const thief = await claimed()
  const body = `Bounty: ${thief.id}\nAgent: ${thief.claimant.id}`
  const url = await pullRequest(naming(victim), { body, user: { id: 7, login: thief.claimant.id } })
  expectError(await submit(thief, url), 'pull_request_invalid')
  const { body: submitted } = await submit(victim, url)
  expect(submitted.warnings ?? []).not.toContainEqual(expect.stringContaining('branch'))
})

test('two claimants who name each other: each submits the one that names it', async () => {
  const one = await claimed()
  const other = await claimed()
  const byOne = await pullRequest(naming(other))
  const byOther = await pullRequest(naming(one))
  expectError(await submit(one, byOne), 'pull_request_invalid')
  expectError(await submit(other, byOther), 'pull_request_invalid')
  expect((await submit(one, byOther)).status).toBe(201)
  expect((await submit(other, byOne)).status).toBe(201)
})

test.each([
  ['nobody', () => 'weeks'],
  ['the agent alone', ({ claimant }: ClaimedBounty) => claimant.id],
])('201 with a warning for one whose branch names %s; nobody else gets it afterwards', async (_, branch) => {
  const bounty = await claimed()
  const other = await claimed()
  const url = await pullRequest(branch(bounty))
  const { status, body } = await submit(bounty, url)
  expect([status, body.warnings]).toEqual([201, [expect.stringContaining(`not named ${naming(bounty)}`)]])
  report(url, { body: `Bounty: ${other.id}\nAgent: ${other.claimant.id}` })
  expect((await submit(other, url)).status).toBe(400)
  expect(await bountyOf(bounty)).toMatchObject({ status: 'in_review', submissions: [{ status: 'pending' }] })
})

test('400 pull_request_invalid for work that was merged before the claim; 201 for work that was merged since', async () => {
  const bounty = await claimed()
  const merged = { merged: true, state: 'closed', merge_commit_sha: 'c'.repeat(40) }
  const before = new Date(Date.now() - 60_000).toISOString()
  expectError(
    await submit(bounty, await pullRequest('weeks', { ...merged, merged_at: before })),
    'pull_request_invalid',
  )
  await expectUnpaid(bounty)
  const since = new Date().toISOString()
  expect((await submit(bounty, await pullRequest('weeks', { ...merged, merged_at: since }))).status).toBe(201)
})

test('201 with warnings for a draft and another author than before; 400 for the commit that was sent back', async () => {
  const bounty = await claimed()
  const url = await pullRequest(naming(bounty), { draft: true })
  const first = await submit(bounty, url)
  expect(first.body.warnings).toEqual([expect.stringContaining('draft')])
  const review_notes = 'Test it.'
  await post(`/api/bounties/${bounty.id}/request-changes`, bounty.founder, { review_notes })
  report(url, { draft: false, user: { id: 99, login: 'somebody' } })
  expectError(await submit(bounty, url), 'pull_request_invalid')
  const other = await pullRequest(naming(bounty), { user: { id: 99, login: 'somebody' } })
  expect((await submit(bounty, other)).body.warnings).toEqual([expect.stringContaining('somebody')])
})

test('201 without warnings for a pull request that names bounty and agent', async () => {
  const bounty = await claimed()
  const { status, body } = await submit(bounty, await pullRequest(naming(bounty)))
  expect({ status, fields: Object.keys(body) }).toEqual({ status: 201, fields: ['submission'] })
})

test('400 pull_request_invalid for one that goes into another branch than the default one; 201 once somebody has merged it there', async () => {
  const bounty = await claimed()
  const { repository_id } = await readRow(market.db, 'projects', { id: project.id })
  const base = { ref: 'next', repo: { id: Number(repository_id), default_branch: 'main' } }
  const merged = { merged: true, state: 'closed', merged_at: new Date().toISOString(), merged_by: { id: 8 } }
  const refused = await submit(bounty, await pullRequest(naming(bounty), { base }))
  expectError(refused, 'pull_request_invalid')
  expect(refused.body.error.message).toContain('branch next')
  const submitted = await submit(bounty, await pullRequest(naming(bounty), { base, ...merged }))
  expect(submitted.status).toBe(201)
  expect(submitted.body.warnings).toEqual([expect.stringContaining('the payout begins by itself')])
})

describe('a repository that has another name now', () => {
  const number = (url: string) => url.split('/').at(-1)
  const { webUrl } = market.github
  /** The code host has a repository of this id at the new name. */
  function rename(id: number): void {
    scene.host.respond = ({ path }) =>
      path === '/repos/new-owner/new-name' ? { status: 200, body: { id } } : undefined
  }
  afterEach(() => {
    scene.host.respond = () => undefined
  })

  test('201 with the address that the project knows', async () => {
    const { repository_id } = await readRow(market.db, 'projects', { id: project.id })
    rename(repository_id as number)
    const bounty = await claimed()
    const url = await pullRequest()
    const submitted = await submit(bounty, `${webUrl}/new-owner/new-name/pull/${number(url)}/files`)
    expect(submitted.status).toBe(201)
    expect(submitted.body.submission.pr_url).toBe(url)
  })

  test.each([
    ['another repository', () => rename(987_654)],
    ['no repository', () => undefined],
  ])('400 pull_request_invalid if %s has the name', async (_, prepare) => {
    prepare()
    const bounty = await claimed()
    const url = await pullRequest()
    const submitted = await submit(bounty, `${webUrl}/new-owner/new-name/pull/${number(url)}`)
    expectError(submitted, 'pull_request_invalid')
    expect(submitted.body.error.message).toContain(project.repo_url)
    await expectUnpaid(bounty)
  })
})
