import { afterEach, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../server/errors.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import { createRows } from '../../support/rows.ts'
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
/** A pull request whose description says this. */
async function pullRequest(body = '', members: Record<string, unknown> = {}): Promise<string> {
  const url = await market.pullRequest(project)
  report(url, { body, ...members })
  return url
}
const naming = (...bounties: ClaimedBounty[]) =>
  bounties.map(({ id, claimant }) => `Bounty: ${id}\nAgent: ${claimant.id}\n`).join('')

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
  const [victim, thief] = [await claimed(), await claimed()]
  const url = await pullRequest(naming(victim))
  expectError(await submit(thief, url), 'pull_request_invalid')
  expect((await submit(victim, url)).status).toBe(201)
  const late = await submit(thief, url)
  expectError(late, 'pull_request_invalid')
  expect(late.body.error.message).toContain(victim.claimant.id)
  await expectUnpaid(thief)
})

test('400 pull_request_invalid for one that names another bounty, and 201 for that bounty', async () => {
  const [victim, thief] = [await claimed(), await claimed()]
  const url = await pullRequest(`Bounty: ${victim.id}`)
  expectError(await submit(thief, url), 'pull_request_invalid')
  expect((await submit(victim, url)).status).toBe(201)
})

test('400 pull_request_invalid for one by an author that the code host knows as another agent', async () => {
  const [victim, thief] = [await claimed(), await claimed()]
  const url = await pullRequest('', { user: { id: 7, login: victim.claimant.id } })
  expectError(await submit(thief, url), 'pull_request_invalid')
  expect((await submit(victim, url)).status).toBe(201)
})

test('the author that the code host knows decides, whatever the description says', async () => {
  const [victim, thief] = [await claimed(), await claimed()]
  const url = await pullRequest(`Agent: ${thief.claimant.id}`, { user: { id: 7, login: victim.claimant.id } })
  expectError(await submit(thief, url), 'pull_request_invalid')
  const mentioned = await pullRequest(`${naming(victim)}\nSupersedes the attempt of ${thief.claimant.id}.`)
  expectError(await submit(thief, mentioned), 'pull_request_invalid')
  expect((await submit(victim, mentioned)).status).toBe(201)
})

test('two claimants who name each other: each submits the one that names it', async () => {
  const [one, other] = [await claimed(), await claimed()]
  const [byOne, byOther] = [await pullRequest(naming(other)), await pullRequest(naming(one))]
  expectError(await submit(one, byOne), 'pull_request_invalid')
  expectError(await submit(other, byOther), 'pull_request_invalid')
  expect((await submit(one, byOther)).status).toBe(201)
  expect((await submit(other, byOne)).status).toBe(201)
})

test('one that names nobody gives way to the agent that it names later, and the bounty is open again', async () => {
  const [victim, thief] = [await claimed(), await claimed()]
  const url = await pullRequest()
  const early = await submit(thief, url)
  expect(early.status).toBe(201)
  expect(early.body.warnings).toEqual([expect.stringContaining(`Agent: ${thief.claimant.id}`)])
  expectError(await submit(victim, url), 'pull_request_taken')
  report(url, { body: naming(victim) })
  expect((await submit(victim, url)).status).toBe(201)
  expect(await bountyOf(victim)).toMatchObject({ status: 'in_review', submissions: [{ pr_url: url }] })
  expect(await bountyOf(thief)).toMatchObject({ status: 'open', submissions: [{ status: 'retracted' }] })
  const { body } = await market.api('GET', `/api/submissions/${early.body.submission.id}`, {
    key: thief.claimant.key,
  })
  expect(body.submission.review_notes).toContain(victim.id)
  const { body: feed } = await market.api('GET', `/api/activity?project_id=${project.id}&limit=20`)
  const [retracted] = feed.activity.filter(
    ({ type, bounty_id }: { type: string; bounty_id: string }) =>
      type === 'submission.retracted' && bounty_id === thief.id,
  )
  expect(retracted.data).toEqual({ reason: 'pull_request_names_another_agent' })
})

test.each([
  ['503 chain_unreachable', { isChainSilent: true }],
  ['503 chain_not_configured', { without: ['chain'] }],
] as [string, Parameters<typeof createTestMarket>[0]][])(
  '%s where nobody knows whether the one that has to give way is paid',
  async (outcome, chain) => {
    const [victim, thief] = [await claimed(), await claimed()]
    const url = await pullRequest()
    const early = await submit(thief, url)
    expect(early.status).toBe(201)
    const submission_id = early.body.submission.id
    await createRows(market.db).payout({ submission_id, status: 'failed' })
    report(url, { body: naming(victim) })
    const other = await createTestMarket({ ...chain, sharing: scene.sharing, engines: false })
    const refused = await other.act(victim, 'submit', victim.claimant, { pr_url: url })
    expectError(refused, outcome.split(' ')[1] as ErrorCode)
    expect(await bountyOf(thief)).toMatchObject({ status: 'in_review', submissions: [{ status: 'pending' }] })
  },
)

test('400 pull_request_taken where the one that named nobody is paid already', async () => {
  const [victim, thief] = [await claimed(), await claimed()]
  const url = await pullRequest()
  expect((await submit(thief, url)).status).toBe(201)
  expect((await approve(thief)).status).toBe(200)
  report(url, { body: naming(victim) })
  expectError(await submit(victim, url), 'pull_request_taken')
})

test('a submission that named its agent never gives way, whatever the description says later', async () => {
  const [victim, thief] = [await claimed(), await claimed()]
  const url = await pullRequest(naming(victim))
  expect((await submit(victim, url)).status).toBe(201)
  report(url, { body: naming(thief) })
  expectError(await submit(thief, url), 'pull_request_invalid')
})

test('400 pull_request_invalid for work that was merged before the claim; 201 for work that was merged since', async () => {
  const bounty = await claimed()
  const merged = { merged: true, state: 'closed', merge_commit_sha: 'c'.repeat(40) }
  const before = new Date(Date.now() - 60_000).toISOString()
  expectError(
    await submit(bounty, await pullRequest('', { ...merged, merged_at: before })),
    'pull_request_invalid',
  )
  await expectUnpaid(bounty)
  const since = new Date().toISOString()
  expect((await submit(bounty, await pullRequest('', { ...merged, merged_at: since }))).status).toBe(201)
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

test('400 pull_request_invalid for one that goes into another branch than the default one, also if it was merged there', async () => {
  const bounty = await claimed()
  const { repository_id } = await readRow(market.db, 'projects', { id: project.id })
  const base = { ref: 'next', repo: { id: Number(repository_id), default_branch: 'main' } }
  const merged = { merged: true, state: 'closed', merged_at: new Date().toISOString(), merged_by: { id: 8 } }
  for (const members of [{ base }, { base, ...merged }]) {
    const refused = await submit(bounty, await pullRequest(naming(bounty), members))
    expectError(refused, 'pull_request_invalid')
    expect(refused.body.error.message).toContain('branch next')
  }
  await expectUnpaid(bounty)
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
    const [bounty, url] = [await claimed(), await pullRequest()]
    const submitted = await submit(bounty, `${webUrl}/new-owner/new-name/pull/${number(url)}/files`)
    expect(submitted.status).toBe(201)
    expect(submitted.body.submission.pr_url).toBe(url)
  })

  test.each([
    ['another repository', () => rename(987_654)],
    ['no repository', () => undefined],
  ])('400 pull_request_invalid if %s has the name', async (_, prepare) => {
    prepare()
    const [bounty, url] = [await claimed(), await pullRequest()]
    const submitted = await submit(bounty, `${webUrl}/new-owner/new-name/pull/${number(url)}`)
    expectError(submitted, 'pull_request_invalid')
    expect(submitted.body.error.message).toContain(project.repo_url)
    await expectUnpaid(bounty)
  })
})
