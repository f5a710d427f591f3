import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { submittedHead } from '../../support/code-host.ts'
import { expectError } from '../../support/errors.ts'
import { createTestMarket } from '../../support/market.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import {
  author,
  createAcceptanceScene,
  type EventType,
  maintainer,
  type naming,
  secondsAgo,
} from './support.ts'

/* The founder merges at the code host what waits for its review. */
const scene = await createAcceptanceScene()
const {
  market,
  host,
  served,
  report,
  db,
  project,
  post,
  reject,
  retract,
  submissionOf,
  isDone,
  held,
  inReview,
  merge,
  hear,
  start,
  wasLookedAt,
  lookAgain,
  payments,
  eventsOf,
  expectPaid,
  push,
  row,
} = scene
const unit = 10n ** 18n
const tokens = 95n * unit
beforeEach(() => {
  host.respond = () => undefined
})

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

const organization = { user: { id: 10, login: 'acme' }, repo: { id: 99 } }
const others = [{ number: 0, user: { id: 9 }, created_at: '2026-01-01T00:00:00Z' }]

test.each<[string, Record<string, unknown>, typeof naming?]>([
  ['by the author of the pull request', { merged_by: author }],
  ["by who opened it from an organization's fork", { merged_by: author, head: organization }],
  ['by the owner of its fork', { merged_by: maintainer, head: { user: maintainer, repo: { id: 99 } } }],
  ['of a pull request whose branch names nobody', {}, () => 'weeks'],
])('a merge %s is no acceptance, and the founder may reject', async (_, members, branch) => {
  const bounty = await inReview(branch && { branch })
  const stop = start()
  merge(bounty, members)
  await hear(bounty)
  await wasLookedAt(bounty)
  await stop()
  expect(await submissionOf(bounty)).toMatchObject({ status: 'pending', accepted_by: null })
  expect((await reject(bounty)).status).toBe(200)
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
})

test('a merge from before the claim, of what was not seen open since, is no acceptance, and the founder may reject', async () => {
  const bounty = await inReview()
  await setRows(db, 'pull_requests', { url: bounty.pr_url }, { refreshed_at: secondsAgo(7200) })
  merge(bounty, { merged_at: secondsAgo(3600) })
  expect((await reject(bounty)).status).toBe(200)
})

test('a merge whose time the host does not say yet keeps the founder from rejecting, and is paid once it does', async () => {
  const bounty = await inReview()
  merge(bounty, { merged_at: null })
  expect((await reject(bounty)).body.error).toMatchObject({ code: 'repository_unreachable', retryable: true })
  merge(bounty)
  await expectPaid(bounty)
})

test.each<[string, Record<string, unknown>]>([
  ["by the maintainer, of what comes from an organization's fork,", { head: organization }],
  [
    'by the maintainer, of what an App has opened for the owner of the fork,',
    { user: { id: 49_699_333, login: 'an-app[bot]' }, head: { user: author, repo: { id: 99 } } },
  ],
  ["by a push, of what comes from an organization's fork,", { merged_by: null, head: organization }],
  ['that nobody knows who made, of work that nobody knows who wrote,', { merged_by: null, user: null }],
])('a merge %s is an acceptance: 409 pull_request_merged, and it is paid', async (_, members) => {
  const bounty = await inReview()
  merge(bounty, members)
  expectError(await reject(bounty), 'pull_request_merged')
  await expectPaid(bounty)
})

test('who wrote what was merged stays known where the code host shows another owner of its fork, or none, since', async () => {
  const bounty = await inReview({ members: { head: { user: author, repo: { id: 99 } } } })
  merge(bounty, { merged_by: author, user: null, head: organization })
  expect((await reject(bounty)).status).toBe(200)
  expect(await row(bounty.pr_url)).toMatchObject({ author_id: author.id, fork_owner_id: author.id })
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
  await setRows(db, 'payouts', { submission_id: paid.submissionId }, { head_sha: sha })
  const stop = start()
  await hear(bounty)
  await wasLookedAt(bounty)
  await stop()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
  expect((await reject(bounty)).status).toBe(200)
})

test.each(['of its pull request', 'by its hash'])(
  'a commit that this service made by a merge %s is paid for no other bounty, though a pull request had it before',
  async (way) => {
    const merged = await market.doneBounty({ project })
    const isByHash = way === 'by its hash'
    if (isByHash) report(merged.pr_url, { state: 'closed' })
    const what = isByHash ? await submittedHead(db, merged.submissionId) : new URL(merged.pr_url).pathname
    const sha = createHash('sha1').update(`merge ${what}`).digest('hex')
    const bounty = await inReview({ members: { head: { sha } } })
    const { body } = await served.act(merged, 'merge', merged.founder, {})
    expect(body.merge_commit_sha).toBe(sha)
    host.contained.add(sha)
    const stop = start()
    await hear(bounty)
    await wasLookedAt(bounty)
    await stop()
    expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
    expect((await reject(bounty)).status).toBe(200)
  },
)

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

test.each(['open', 'closed'])(
  'what was rebased since its submission is in the default branch, its pull request %s: 409 pull_request_merged twice, and it is paid',
  async (state) => {
    const bounty = await inReview()
    const sha = createHash('sha1').update(bounty.id).digest('hex')
    report(bounty.pr_url, { head: { sha }, state })
    const stop = start()
    await hear(bounty)
    await until(async () => (await row(bounty.pr_url)).head_sha === sha)
    await stop()
    host.contained.add(sha)
    for (let turn = 0; turn < 2; turn++) expectError(await reject(bounty), 'pull_request_merged')
    await expectPaid(bounty)
    expect(await payments(bounty)).toMatchObject({ commits: [sha] })
  },
)

test('what anybody writes about it before the merge changes nothing', async () => {
  const bounty = await inReview()
  start()
  const other = await inReview()
  merge(bounty, { body: `Bounty: ${other.id}\nAgent: ${other.claimant.id}`, title: 'A gift' })
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

/** Its merge is known, and looked at while the host responds so: it waits. */
async function waitsWhile(bounty: Awaited<ReturnType<typeof inReview>>, respond: typeof host.respond) {
  host.respond = respond
  const stop = start()
  await wasLookedAt(bounty)
  await stop()
  expect(await submissionOf(bounty)).toMatchObject({ status: 'pending', acceptance_blocked: null })
}

async function isPaidOnceTheHostIsWell(bounty: Awaited<ReturnType<typeof inReview>>) {
  host.respond = () => undefined
  start()
  await lookAgain(bounty)
  await until(() => isDone(bounty))
}

test('a host that has no such pull request any more when it is asked again only puts the payment off', async () => {
  const bounty = await inReview()
  merge(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
  await waitsWhile(bounty, () => ({ status: 404, body: { message: 'Not Found' } }))
  await isPaidOnceTheHostIsWell(bounty)
})

test('a host that is away when it is asked again puts the payment off, by no more than a minute however long it was away', async () => {
  const bounty = await inReview()
  merge(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
  await setRows(db, 'pull_requests', { url: bounty.pr_url }, { refreshed_at: secondsAgo(3000) })
  await waitsWhile(bounty, () => 'lost')
  const { acceptance_due_at } = await readRow(db, 'pull_requests', { url: bounty.pr_url })
  expect(Number(acceptance_due_at) - Date.now()).toBeLessThanOrEqual(60_000)
  await isPaidOnceTheHostIsWell(bounty)
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

test('a merge of which the host denies later that it came by itself pays nobody', async () => {
  const bounty = await inReview()
  const sha = createHash('sha1').update(bounty.id).digest('hex')
  host.contained.add(sha)
  merge(bounty, { head: { sha } })
  expectError(await reject(bounty), 'pull_request_merged')
  host.alsoIn.set(sha, others)
  const stop = start()
  await wasLookedAt(bounty)
  await stop()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
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
  const bounty = await inReview({ project: own })
  const next = await market.openBounty({ project: own })
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
