import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pino from 'pino'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { activityTypes } from '../../../server/db/activity.ts'
import { startAcceptances } from '../../../server/engines/acceptances/loop.ts'
import { prove } from '../../../server/engines/claims/store.ts'
import { startPullRequests } from '../../../server/engines/pull-requests/loop.ts'
import { submittedHead } from '../../support/code-host.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket, type TestMarket } from '../../support/market.ts'
import { createPullRequestMarket } from '../../support/pull-requests.ts'
import type { ActiveProject, ClaimedBounty, SubmittedBounty } from '../../support/scenarios.ts'
import { until } from '../../support/until.ts'

/* The founder merges at the code host what waits for its review. */
const scene = await createPullRequestMarket()
const { market, host, served, report } = scene
const { db } = market
const project = await market.activeProject()
beforeEach(() => {
  host.respond = () => undefined
})

type EventType = (typeof activityTypes)[number]
const [author, maintainer] = [
  { id: 7, login: 'ada' },
  { id: 8, login: 'grace' },
]
const unit = 10n ** 18n
const tokens = 95n * unit
const post = (path: string, key: string, body?: unknown, from = served) =>
  from.api('POST', path, { key, ...(body !== undefined && { body }) })
const reject = ({ id, founder }: SubmittedBounty) =>
  post(`/api/bounties/${id}/reject`, founder.key, { review_notes: 'No.' })
const retract = ({ submissionId, claimant }: SubmittedBounty) =>
  post(`/api/submissions/${submissionId}/retract`, claimant.key)
const submissionOf = async ({ submissionId, claimant }: SubmittedBounty) =>
  (await market.api('GET', `/api/submissions/${submissionId}`, { key: claimant.key })).body.submission
const isDone = async (bounty: SubmittedBounty) => (await submissionOf(bounty)).status === 'approved'
const held = ({ project, claimant }: SubmittedBounty) =>
  market.chain.balanceOf(project.token_address, claimant.wallet_address as string)

const naming = ({ id, claimant }: ClaimedBounty) => `Bounty: ${id}\nAgent: ${claimant.id}`

/** A bounty in review, whose pull request names its contributor unless another description is given. */
async function inReview({
  body = naming,
  ...options
}: {
  project?: ActiveProject
  body?: typeof naming
  reward_amount?: number
} = {}): Promise<SubmittedBounty> {
  const bounty = await market.claimedBounty({ project, ...options })
  const pr_url = await market.pullRequest(bounty.project)
  report(pr_url, { user: author, body: body(bounty) })
  const submitted = await post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
  expect(submitted.status).toBe(201)
  return { ...bounty, pr_url, submissionId: submitted.body.submission.id }
}

/** The code host reports a merge from now on. */
function merge({ pr_url }: SubmittedBounty, members: Record<string, unknown> = {}): void {
  const merged_at = new Date().toISOString()
  const merged = { merged: true, merged_at, state: 'closed', merge_commit_sha: 'c'.repeat(40) }
  report(pr_url, { ...merged, merged_by: maintainer, ...members })
}

/** The service hears of what is at the code host. */
async function hear({ pr_url }: SubmittedBounty): Promise<void> {
  await sql`update pull_requests set due_at = now() where url = ${pr_url}`.execute(db)
}

/** Starts the loops of a process until the test ends, or what is returned is called: that waits for what they are at. */
function start(from: TestMarket = served) {
  const { payouts, repositories } = from.services
  if (!repositories) throw new Error('no code host')
  const options = { db, repositories, log: pino({ enabled: false }), timing: { pullRequestsMs: 10 } }
  const onBegun = () => market.services.wake()
  const loops = [
    startPullRequests({ ...options, hasWebhook: false }),
    startAcceptances({ ...options, payouts, onBegun }),
  ]
  const stop = () => Promise.all(loops.map((loop) => loop.stop()))
  onTestFinished(async () => {
    await stop()
  })
  return stop
}

/** Its merge was looked at, and the next look is put off. */
const wasLookedAt = ({ pr_url }: SubmittedBounty) =>
  until(async () => {
    const { rows } = await sql`select from pull_requests where url = ${pr_url} and merged
      and (acceptance_due_at > now() + interval '30 seconds') is true`.execute(db)
    return rows.length === 1
  })
const lookAgain = ({ pr_url }: SubmittedBounty) =>
  sql`update pull_requests set acceptance_due_at = now() where url = ${pr_url}`.execute(db)

/** Everything that was paid for the bounty. */
async function payments({ id }: SubmittedBounty) {
  const rows = await db
    .selectFrom('payouts')
    .innerJoin('submissions', 'submissions.id', 'submission_id')
    .where('bounty_id', '=', id)
    .select(['payouts.head_sha', 'payout_id'])
    .execute()
  const ids = new Set(rows.map(({ payout_id }) => payout_id))
  const paid = (await market.chain.payments()).filter(({ payoutId }) => ids.has(payoutId))
  return { commits: rows.map(({ head_sha }) => head_sha), paid: paid.length }
}

const eventsOf = async ({ submissionId }: SubmittedBounty, type: EventType) =>
  (
    await db
      .selectFrom('activity')
      .where('submission_id', '=', submissionId)
      .where('type', '=', type)
      .select(['agent_id', 'data'])
      .execute()
  ).map(({ agent_id, data }) => ({ agent_id, data }))

test('a merge by the maintainer pays the contributor once, for the merged commit, and says so', async () => {
  const bounty = await inReview()
  expect(await submissionOf(bounty)).toMatchObject({ accepted_by: null, acceptance_blocked: null })
  start()
  merge(bounty, { head: { sha: 'd'.repeat(40) } })
  await hear(bounty)
  await until(() => isDone(bounty))
  expect(await payments(bounty)).toEqual({ commits: ['d'.repeat(40)], paid: 1 })
  expect(await held(bounty)).toBe(tokens)
  expect(await submissionOf(bounty)).toMatchObject({ accepted_by: 'merge', acceptance_blocked: null })
  expect(await eventsOf(bounty, 'submission.approved')).toMatchObject([{ data: { accepted_by: 'merge' } }])
  const { events } = (await market.api('GET', `/api/bounties/${bounty.id}/timeline`, bounty.founder)).body
  expect(events.find(({ type }: { type: EventType }) => type === 'submission.approved').actor_id).toBeNull()
  const approved = await market.doneBounty({ project })
  expect(await submissionOf(approved)).toMatchObject({ accepted_by: 'founder' })
})

test('a merge whose commit the code host does not name is paid, too', async () => {
  const bounty = await inReview()
  merge(bounty, { merge_commit_sha: undefined })
  await hear(bounty)
  start()
  await until(() => isDone(bounty))
  expect(await payments(bounty)).toMatchObject({ paid: 1 })
})

test('a revert, a new description and a closed account after the merge change nothing', async () => {
  const bounty = await inReview()
  merge(bounty, { body: 'Reverted.', user: null })
  await hear(bounty)
  start()
  await until(() => isDone(bounty))
  expect(await payments(bounty)).toMatchObject({ paid: 1 })
})

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const others = [{ number: 0, user: { id: 9 }, created_at: '2026-01-01T00:00:00Z' }]

test.each<[string, Record<string, unknown>, typeof naming?]>([
  ['by the author of the pull request', { merged_by: author }],
  ['that nobody knows who made, of work that nobody knows who wrote', { merged_by: null, user: null }],
  ['of a pull request that names nobody', {}, () => 'Work.'],
  ['from before the claim', { merged_at: secondsAgo(3600) }],
  ['whose time the host does not say', { merged_at: null }],
])('a merge %s is no acceptance, and the founder may reject', async (_, members, body) => {
  const bounty = await inReview(body && { body })
  const stop = start()
  merge(bounty, members)
  await hear(bounty)
  await wasLookedAt(bounty)
  await stop()
  expect(await submissionOf(bounty)).toMatchObject({ status: 'pending', accepted_by: null })
  expect((await reject(bounty)).status).toBe(200)
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
})

test.each([
  ['of its own commits is an acceptance', [], true],
  ['of commits that are in a pull request of another account, too, is none', others, false],
])('a merge %s', async (_, alsoIn, isPaid) => {
  const bounty = await inReview()
  const sha = createHash('sha1').update(bounty.id).digest('hex')
  host.contained.add(sha)
  host.alsoIn.set(sha, alsoIn)
  const stop = start()
  merge(bounty, { head: { sha } })
  await hear(bounty)
  await (isPaid ? until(() => isDone(bounty)) : wasLookedAt(bounty))
  await stop()
  expect(await payments(bounty)).toMatchObject({ paid: isPaid ? 1 : 0 })
})

test('a commit that was paid for another bounty is not paid again when it comes to the default branch', async () => {
  const paid = await market.doneBounty({ project })
  const bounty = await inReview()
  const sha = await submittedHead(db, bounty.submissionId)
  host.contained.add(sha)
  await db
    .updateTable('payouts')
    .set({ head_sha: sha })
    .where('submission_id', '=', paid.submissionId)
    .execute()
  const stop = start()
  await hear(bounty)
  await wasLookedAt(bounty)
  await stop()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
  expect((await reject(bounty)).status).toBe(200)
})

/** The head of a submission comes to the default branch by a push: the pull request stays as it is. */
async function push({ submissionId }: SubmittedBounty): Promise<void> {
  host.contained.add(await submittedHead(db, submissionId))
}

test.each([
  ['open', undefined],
  ['open, with newer commits', { head: { sha: 'e'.repeat(40) } }],
  ['closed', { state: 'closed' }],
])(
  'what was submitted is in the default branch, its pull request %s: 409 pull_request_merged, and it is paid',
  async (_, members) => {
    const bounty = await inReview()
    await push(bounty)
    if (members) report(bounty.pr_url, members)
    expectError(await reject(bounty), 'pull_request_merged')
    start()
    await until(() => isDone(bounty))
    expect(await payments(bounty)).toEqual({
      commits: [await submittedHead(db, bounty.submissionId)],
      paid: 1,
    })
  },
)

/** A claimed bounty whose pull request, by `user` and saying `body`, is merged before it is submitted. */
async function mergedInClaim({
  body = naming,
  wasSeen = false,
}: {
  body?: typeof naming
  wasSeen?: boolean
}) {
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.pullRequest(bounty.project)
  report(pr_url, { user: author, body: body(bounty) })
  const pull = Number(pr_url.split('/').at(-1))
  const named_ids = [bounty.id, bounty.claimant.id]
  if (wasSeen)
    await prove(db, { id: bounty.id, agentId: bounty.claimant.id }, { ...unmerged, named_ids, number: pull })
  await sql`update bounties set claimed_at = now() - interval '1 hour' where id = ${bounty.id}`.execute(db)
  merge({ ...bounty, pr_url, submissionId: '' }, { merged_at: secondsAgo(60) })
  const submit = () => post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
  return { ...bounty, pr_url, submit }
}
const unmerged = { head_sha: 'b'.repeat(40), merged_at: null, author_login: 'ada' }

test.each<[string, Parameters<typeof mergedInClaim>[0]]>([
  ['that was seen to be the claimant’s, and no longer names it', { wasSeen: true, body: () => '' }],
  [
    'that was seen to be the claimant’s, and now names another',
    { wasSeen: true, body: () => `Agent: agent_${'9'.repeat(20)}` },
  ],
])(
  'work %s, merged in the claim and then submitted: it is paid, and cannot be rejected',
  async (_, options) => {
    const bounty = await mergedInClaim(options)
    const { status, body } = await bounty.submit()
    expect([status, body.warnings]).toEqual([201, [expect.stringContaining('the payout begins by itself')]])
    const submitted = { ...bounty, submissionId: body.submission.id }
    expectError(await reject(submitted), 'pull_request_merged')
    start()
    await until(() => isDone(submitted))
    expect(await payments(submitted)).toMatchObject({ paid: 1 })
  },
)

test('work that only its description calls the claimant’s, merged before it was submitted: the founder decides', async () => {
  const bounty = await mergedInClaim({})
  const { status, body } = await bounty.submit()
  expect([status, body.warnings]).toEqual([201, [expect.stringContaining('the founder decides')]])
  const submitted = { ...bounty, submissionId: body.submission.id }
  const stop = start()
  await wasLookedAt(submitted)
  await stop()
  expect((await reject(submitted)).status).toBe(200)
  expect(await payments(submitted)).toEqual({ commits: [], paid: 0 })
})

test('merged at any request of its submission, then rejected, sent back and approved at once: it is paid once', async () => {
  start()
  for (let nth = 1, sent = nth; sent >= nth; nth++) {
    const bounty = await market.claimedBounty({ project })
    const pr_url = await market.pullRequest(bounty.project)
    report(pr_url, { user: author })
    await prove(
      db,
      { id: bounty.id, agentId: bounty.claimant.id },
      { ...unmerged, named_ids: [bounty.id, bounty.claimant.id], number: Number(pr_url.split('/').at(-1)) },
    )
    sent = 0
    host.respond = () => {
      if (++sent === nth) merge({ ...bounty, pr_url, submissionId: '' })
      return undefined
    }
    const { body } = await post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
    host.respond = () => undefined
    if (sent < nth) merge({ ...bounty, pr_url, submissionId: '' })
    const submitted = { ...bounty, pr_url, submissionId: body.submission.id }
    const path = `/api/bounties/${bounty.id}`
    const [rejected, changes] = await Promise.all([
      reject(submitted),
      post(`${path}/request-changes`, bounty.founder.key, { review_notes: 'No.' }),
      post(`${path}/approve`, bounty.founder.key, {}),
    ])
    expect([rejected.status, changes.status]).not.toContain(200)
    await until(() => isDone(submitted))
    expect(await payments(submitted)).toMatchObject({ paid: 1 })
  }
})

test('sent back, merged, then submitted again: it is paid, and cannot be rejected', async () => {
  const bounty = await inReview()
  const path = `/api/bounties/${bounty.id}`
  const notes = { review_notes: 'Almost.' }
  expect((await post(`${path}/request-changes`, bounty.founder.key, notes)).status).toBe(200)
  start()
  merge(bounty, { body: 'Names taken out.' })
  await hear(bounty)
  await until(async () => (await eventsOf(bounty, 'pull_request.merged')).length === 1)
  expectError(await post(`${path}/dismiss`, bounty.founder.key, notes), 'pull_request_merged')
  const again = await post(`${path}/submit`, bounty.claimant.key, { pr_url: bounty.pr_url })
  expect(again.status).toBe(201)
  const submitted = { ...bounty, submissionId: again.body.submission.id }
  expect((await reject(submitted)).status).toBe(409)
  await until(() => isDone(submitted))
  expect(await payments(submitted)).toMatchObject({ paid: 1 })
})

test('unnamed when it was submitted, named, sent back, its names taken out and merged: submitted again it is paid', async () => {
  const bounty = await inReview({ body: () => 'Work.' })
  report(bounty.pr_url, { body: naming(bounty) })
  start()
  await hear(bounty)
  await until(async () => (await scene.row(bounty.pr_url)).named_ids.length > 0)
  const path = `/api/bounties/${bounty.id}`
  expect((await post(`${path}/request-changes`, bounty.founder.key, { review_notes: 'No.' })).status).toBe(
    200,
  )
  merge(bounty, { body: '' })
  const again = await post(`${path}/submit`, bounty.claimant.key, { pr_url: bounty.pr_url })
  const submitted = { ...bounty, submissionId: again.body.submission.id }
  await until(() => isDone(submitted))
})

test('sent back, in the default branch, then submitted with a newer commit: what was sent back is paid', async () => {
  const bounty = await inReview()
  const path = `/api/bounties/${bounty.id}`
  expect((await post(`${path}/request-changes`, bounty.founder.key, { review_notes: 'No.' })).status).toBe(
    200,
  )
  await push(bounty)
  report(bounty.pr_url, { state: 'closed' })
  await sql`update bounties set claimed_at = now() - interval '30 days' where id = ${bounty.id}`.execute(db)
  expect((await post(`${path}/dismiss`, bounty.founder.key, { review_notes: 'No.' })).status).toBe(409)
  report(bounty.pr_url, { state: 'open', head: { sha: 'e'.repeat(40) } })
  const again = await post(`${path}/submit`, bounty.claimant.key, { pr_url: bounty.pr_url })
  const submitted = { ...bounty, submissionId: again.body.submission.id }
  start()
  await until(() => isDone(submitted))
  expect(await payments(submitted)).toEqual({
    commits: [await submittedHead(db, bounty.submissionId)],
    paid: 1,
  })
})

test('merged in the claim, named afterwards and shown as progress: the founder decides', async () => {
  const bounty = await mergedInClaim({})
  const { id, claimant, pr_url } = bounty
  const named_ids = [id, claimant.id]
  const work = { head_sha: 'd'.repeat(40), merged_at: new Date(), author_login: 'ada', named_ids }
  await prove(db, { id, agentId: claimant.id }, { ...work, number: Number(pr_url.split('/').at(-1)) })
  const { body } = await bounty.submit()
  expect(body.warnings).toEqual([expect.stringContaining('the founder decides')])
})

test('a pull request whose commits the default branch had before: 400 pull_request_invalid', async () => {
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.pullRequest(bounty.project)
  const sha = createHash('sha1').update(pr_url).digest('hex')
  report(pr_url, { user: author, body: naming(bounty), head: { sha } })
  host.contained.add(sha)
  const submitted = await post(`/api/bounties/${bounty.id}/submit`, bounty.claimant.key, { pr_url })
  expectError(submitted, 'pull_request_invalid')
})

test('a merge is accepted once the contributor names itself in the description', async () => {
  const bounty = await inReview({ body: () => 'Work.' })
  start()
  merge(bounty)
  await hear(bounty)
  await wasLookedAt(bounty)
  report(bounty.pr_url, { body: `Agent: ${bounty.claimant.id}` })
  await lookAgain(bounty)
  await until(() => isDone(bounty))
})

test('a maintainer that takes the name out of the description before the merge pays all the same', async () => {
  const bounty = await inReview()
  start()
  merge(bounty, { body: '' })
  await hear(bounty)
  await until(() => isDone(bounty))
})

test('merged, then rejected or sent back: 409 pull_request_merged, and it is paid', async () => {
  const bounty = await inReview()
  merge(bounty)
  const changes = post(`/api/bounties/${bounty.id}/request-changes`, bounty.founder.key, {
    review_notes: 'No.',
  })
  for (const refused of [await reject(bounty), await changes]) {
    expectError(refused, 'pull_request_merged')
    expect(refused.body.error.message).toContain(`POST /api/bounties/${bounty.id}/approve`)
  }
  expect(await submissionOf(bounty)).toMatchObject({ status: 'pending' })
  start()
  await until(() => isDone(bounty))
  expect(await payments(bounty)).toMatchObject({ paid: 1 })
})

test('a host that reports a merge once and denies it when it is asked again pays nobody', async () => {
  const bounty = await inReview()
  merge(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
  report(bounty.pr_url, { merged: false, state: 'open', merged_at: null, merged_by: null })
  const stop = start()
  await wasLookedAt(bounty)
  await stop()
  expect(await submissionOf(bounty)).toMatchObject({ status: 'pending', accepted_by: null })
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
})

test.each([
  ['is away', () => 'lost' as const],
  ['has no such pull request any more', () => ({ status: 404, body: { message: 'Not Found' } })],
])('a host that %s when it is asked again only puts the payment off', async (_, respond) => {
  const bounty = await inReview()
  merge(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
  host.respond = respond
  const stop = start()
  await wasLookedAt(bounty)
  await stop()
  expect(await submissionOf(bounty)).toMatchObject({ status: 'pending', acceptance_blocked: null })
  host.respond = () => undefined
  start()
  await lookAgain(bounty)
  await until(() => isDone(bounty))
})

test('the loops of two processes and several deliveries at once make one payment', async () => {
  const second = await createTestMarket({ sharing: scene.sharing, engines: false })
  const bounties = await Promise.all(Array.from({ length: 4 }, () => inReview()))
  for (const from of [served, second, served]) start(from)
  for (const bounty of bounties) merge(bounty)
  for (let turn = 0; turn < 5; turn++)
    await Promise.all(bounties.flatMap((bounty) => [hear(bounty), lookAgain(bounty).catch(() => undefined)]))
  for (const bounty of bounties) {
    await until(() => isDone(bounty))
    expect((await payments(bounty)).paid).toBe(1)
    expect(await held(bounty)).toBe(tokens)
    expect(await eventsOf(bounty, 'submission.approved')).toHaveLength(1)
  }
})

test('merged, approved, rejected and retracted at once: it is paid, or taken back, never both', async () => {
  start()
  for (let round = 0; round < 4; round++) {
    const bounty = await inReview()
    merge(bounty)
    await hear(bounty)
    const answers = await Promise.all([retract(bounty), reject(bounty)])
    const isRetracted = answers[0].status === 200
    expect(answers[1].status).not.toBe(200)
    await until(async () => (await submissionOf(bounty)).status === (isRetracted ? 'retracted' : 'approved'))
    expect((await payments(bounty)).paid).toBe(isRetracted ? 0 : 1)
  }
})

test('without funds both hear of it once, and it is paid when the funds come', async () => {
  const account = await market.chain.fundedAccount()
  const founder = await market.register({ wallet_address: account.address })
  const own = await market.activeProject({ founder, token_supply: 1000 })
  const allow = (amount: bigint) => market.chain.approve(account, own.token_address, amount * unit)
  await market.chain.buy(account, own.curve_address, 50n * unit)
  await allow(150n)
  const bounty = await inReview({ project: own, reward_amount: 120 })
  await allow(100n)
  const stop = start()
  merge(bounty)
  await hear(bounty)
  await until(async () => (await submissionOf(bounty)).acceptance_blocked === 'insufficient_funds')
  await lookAgain(bounty)
  await wasLookedAt(bounty)
  await stop()
  expect(await eventsOf(bounty, 'acceptance.blocked')).toEqual([
    { agent_id: bounty.claimant.id, data: { reason: 'insufficient_funds' } },
  ])
  const { body } = await market.api('GET', '/api/agents/me/tasks', { key: bounty.founder.key })
  expect(body.tasks).toMatchObject([
    { action: 'review', submission_id: bounty.submissionId, consequence: expect.stringContaining('merged') },
  ])
  await allow(120n)
  start()
  await lookAgain(bounty)
  await until(() => isDone(bounty))
  expect(await submissionOf(bounty)).toMatchObject({ accepted_by: 'merge', acceptance_blocked: null })
})

test('payouts that the operator has switched off block it, too', async () => {
  const settings = { PAYOUTS_ENABLED: 'false' }
  const bounty = await inReview()
  start(await createTestMarket({ sharing: scene.sharing, engines: false, settings }))
  merge(bounty)
  await hear(bounty)
  await until(async () => (await submissionOf(bounty)).acceptance_blocked === 'payouts_disabled')
  const reason = 'payouts_disabled'
  expect(await eventsOf(bounty, 'acceptance.blocked')).toMatchObject([{ data: { reason } }])
})

test('over the limit for payouts without buyers it waits, and is paid later', async () => {
  const settings = { RATE_LIMITS: 'on', STANDING_MIN_ETH: '0.0002', UNBACKED_PAYOUTS_PER_DAY: '0' }
  const bounty = await inReview()
  const stop = start(await createTestMarket({ sharing: scene.sharing, engines: false, settings }))
  merge(bounty)
  await hear(bounty)
  const reason = 'payout_limit_reached'
  await until(async () => (await submissionOf(bounty)).acceptance_blocked === reason)
  await stop()
  expectError(await reject(bounty), 'pull_request_merged')
  expect(await eventsOf(bounty, 'acceptance.blocked')).toMatchObject([{ data: { reason } }])
  start()
  await lookAgain(bounty)
  await until(() => isDone(bounty))
  expect((await payments(bounty)).paid).toBe(1)
})

test('a contributor with the wallet that pays is paid once it has one of its own', async () => {
  const bounty = await inReview()
  const set = (wallet_address: string | null) =>
    db.updateTable('agents').set({ wallet_address }).where('id', '=', bounty.claimant.id).execute()
  await set(bounty.founder.wallet_address)
  start()
  merge(bounty)
  await hear(bounty)
  await until(
    async () => (await submissionOf(bounty)).acceptance_blocked === 'contributor_wallet_is_founders',
  )
  await set(bounty.claimant.wallet_address)
  await lookAgain(bounty)
  await until(() => isDone(bounty))
})

test('a payout that the chain refuses is tried again after a pause', async () => {
  const bounty = await inReview()
  await market.stopEngines()
  start()
  merge(bounty)
  await hear(bounty)
  await until(async () => (await submissionOf(bounty)).status === 'approving')
  await lookAgain(bounty)
  await wasLookedAt(bounty)
  await market.chain.pause()
  market.startEngines()
  await until(async () => (await submissionOf(bounty)).status === 'pending')
  await market.chain.unpause()
  expect(await submissionOf(bounty)).toMatchObject({ accepted_by: null })
  await lookAgain(bounty)
  await until(() => isDone(bounty))
  expect((await payments(bounty)).paid).toBe(1)
})

test('what is merged after a rejection is an event for the contributor, and stands in preflight', async () => {
  const own = await market.activeProject()
  const [bounty, next] = [await inReview({ project: own }), await market.openBounty({ project: own })]
  expect((await reject(bounty)).status).toBe(200)
  const stop = start()
  merge(bounty)
  await hear(bounty)
  await until(async () => (await eventsOf(bounty, 'pull_request.merged')).length === 1)
  await stop()
  expect(await eventsOf(bounty, 'pull_request.merged')).toMatchObject([{ agent_id: bounty.claimant.id }])
  const { body } = await market.api('GET', `/api/bounties/${next.id}/preflight`, { key: bounty.claimant.key })
  expect(body.preflight.founder).toMatchObject({ merged_unpaid: 1 })
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
})
