import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { deleteOldDeliveries, storeDelivery } from '../../../server/code/pull-requests/deliveries.ts'
import type { HostRequest, HostResponse } from '../../support/code-host-proxy.ts'
import { expectError } from '../../support/errors.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createAcceptanceScene, secondsAgo } from './support.ts'

const scene = await createAcceptanceScene()
const { host, report, post, reject, submissionOf, inReview, merge, expectPaid, row, push } = scene
const { market, project, db, start, hear } = scene

const missing: HostResponse = { status: 404, body: { message: 'Not Found' } }
const isOfPull = ({ path }: HostRequest, { pr_url }: { pr_url: string }) =>
  path === `/repos${new URL(pr_url).pathname.replace('/pull/', '/pulls/')}`

beforeEach(() => {
  host.respond = () => undefined
})

test.each(['reject', 'request-changes'])(
  '502 repository_unreachable: %s of merged work while the host shows nothing of its repository; it is paid afterwards',
  async (verb) => {
    const bounty = await inReview()
    merge(bounty)
    host.respond = ({ path }) => (path.startsWith('/repos/') ? missing : undefined)
    const body = { review_notes: 'No.' }
    const refused = await post(`/api/bounties/${bounty.id}/${verb}`, bounty.founder.key, body)
    expectError(refused, 'repository_unreachable')
    host.respond = () => undefined
    await expectPaid(bounty)
  },
)

test('502 repository_unreachable: a reject while another repository has the name', async () => {
  const bounty = await inReview({ project: await market.activeProject() })
  merge(bounty, { base: { ref: 'main', repo: { id: 987_654_321, default_branch: 'main' } } })
  expectError(await reject(bounty), 'repository_unreachable')
  expect((await submissionOf(bounty)).status).toBe('pending')
})

test('200: a reject after the code host has said that it deleted the repository, and shows none', async () => {
  const own = await market.activeProject()
  const bounty = await inReview({ project: own })
  const { repository_id } = await readRow(db, 'projects', { id: own.id })
  const deleted = { event: 'repository', action: 'deleted', repository_id, pull_number: null }
  await storeDelivery(db, { id: 'deleted', ...deleted, head_sha: null, check_id: null, report: null })
  // It was restored.
  merge(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
  const other = await inReview({ project: own })
  host.respond = ({ path }) => (path.startsWith('/repos/') ? missing : undefined)
  await sql`update github_deliveries set received_at = now() - interval '30 days' where id = 'deleted'`.execute(
    db,
  )
  await deleteOldDeliveries(db)
  expect((await reject(other)).status).toBe(200)
  expectError(await reject(bounty), 'pull_request_merged')
})

test('502 repository_unreachable: a reject while nothing is shown of a repository that was deleted, and restored since', async () => {
  const own = await market.activeProject()
  const bounty = await inReview({ project: own })
  const { repository_id } = await readRow(db, 'projects', { id: own.id })
  const deleted = { event: 'repository', action: 'deleted', repository_id, pull_number: null }
  await storeDelivery(db, { id: 'deleted-first', ...deleted, head_sha: null, check_id: null, report: null })
  await setRows(db, 'github_deliveries', { id: 'deleted-first' }, { received_at: secondsAgo(3700) })
  host.respond = ({ path }) => (path.startsWith('/repos/') ? missing : undefined)
  await storeDelivery(db, {
    ...deleted,
    id: 'push',
    event: 'push',
    action: null,
    head_sha: null,
    check_id: null,
    report: null,
  })
  expectError(await reject(bounty), 'repository_unreachable')
  await sql`update github_deliveries set received_at = received_at - interval '30 days' where repository_id = ${repository_id}`.execute(
    db,
  )
  await deleteOldDeliveries(db)
  expectError(await reject(bounty), 'repository_unreachable')
})

test('200: a reject where the repository answers and the pull request alone is missing', async () => {
  const bounty = await inReview()
  host.respond = (request) => (isOfPull(request, bounty) ? missing : undefined)
  expect((await reject(bounty)).status).toBe(200)
})

test.each(['what was submitted', 'what it has had since'])(
  '502 repository_unreachable: a reject where the default branch has got %s, and the pull request is hidden; 200 to approve',
  async (which) => {
    const bounty = await inReview()
    const sha = createHash('sha1').update(bounty.id).digest('hex')
    const isSubmitted = which === 'what was submitted'
    if (!isSubmitted) report(bounty.pr_url, { head: { sha } })
    const stop = start()
    await hear(bounty)
    await until(async () => isSubmitted || (await row(bounty.pr_url)).head_sha === sha)
    host.respond = (request) => (isOfPull(request, bounty) ? missing : undefined)
    await hear(bounty)
    await until(async () => (await row(bounty.pr_url)).state === 'gone')
    await stop()
    if (isSubmitted) await push(bounty)
    else host.contained.add(sha)
    expectError(await reject(bounty), 'repository_unreachable')
    expect((await post(`/api/bounties/${bounty.id}/approve`, bounty.founder.key, {})).status).toBe(200)
  },
)

test('what had come since the submission, and is pushed to the default branch, is merged although it was hidden for a moment', async () => {
  const bounty = await inReview()
  const sha = createHash('sha1').update(bounty.id).digest('hex')
  report(bounty.pr_url, { head: { sha } })
  const stop = start()
  await hear(bounty)
  await until(async () => (await row(bounty.pr_url)).head_sha === sha)
  host.respond = (request) => (isOfPull(request, bounty) ? missing : undefined)
  await hear(bounty)
  await until(async () => (await row(bounty.pr_url)).state === 'gone')
  await stop()
  host.respond = () => undefined
  host.contained.add(sha)
  report(bounty.pr_url, { state: 'closed' })
  expectError(await reject(bounty), 'pull_request_merged')
})

test('what was reported as merged stays so while the host hides it', async () => {
  const bounty = await market.claimedBounty({ project })
  const pr_url = await market.work(bounty)
  const number = Number(pr_url.split('/').at(-1))
  const ids = { bounty_id: bounty.id, agent_id: bounty.claimant.id, number }
  await db
    .insertInto('seen_pulls')
    .values({ ...ids, merged_at: sql`now()`, look_at: sql`now()` })
    .execute()
  host.respond = ({ path }) =>
    path.includes(`/pulls/${number}`) ? { status: 404, body: { message: 'Not Found' } } : undefined
  const isRead = () => host.requests.some(({ path }) => path.includes(`/pulls/${number}`))
  const stop = start()
  await until(isRead)
  await stop()
  const { merged_at, look_at } = await readRow(db, 'seen_pulls', ids)
  expect(merged_at).not.toBeNull()
  expect(look_at).not.toBeNull()
})

test('due within a minute: a pull request whose repository could not be found', async () => {
  const bounty = await inReview()
  report(bounty.pr_url, { mergeable: true })
  host.respond = ({ path }) => (path.startsWith('/repos/') ? missing : undefined)
  expectError(await reject(bounty), 'repository_unreachable')
  const { state, due_at } = await row(bounty.pr_url)
  expect(state).toBe('open')
  expect(Number(due_at)).toBeLessThan(Date.now() + 61_000)
})

test('a merge that was read is paid although the code host hides the pull request since', async () => {
  const bounty = await inReview()
  merge(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
  host.respond = (request) => (isOfPull(request, bounty) ? missing : undefined)
  expectError(await reject(bounty), 'pull_request_merged')
  await expectPaid(bounty)
})

test('newer commits whose merge was read are approved by their hash although the code host hides the pull request since', async () => {
  const bounty = await inReview()
  const sha = createHash('sha1').update(bounty.id).digest('hex')
  host.contained.add(sha)
  merge(bounty, { head: { sha }, merged_by: null })
  expectError(await reject(bounty), 'pull_request_merged')
  host.respond = (request) => (isOfPull(request, bounty) ? missing : undefined)
  expectError(await reject(bounty), 'pull_request_merged')
  const body = { submission_id: bounty.submissionId, expected_head_sha: sha }
  expect((await post(`/api/bounties/${bounty.id}/approve`, bounty.founder.key, body)).status).toBe(200)
})

test('work that the founder merges is paid where the code host shows one deleted account for both', async () => {
  const bounty = await inReview()
  const ghost = { id: 10_137, login: 'ghost' }
  merge(bounty, { user: ghost, merged_by: ghost })
  expectError(await reject(bounty), 'pull_request_merged')
  await expectPaid(bounty)
})

test('what was pushed to the default branch and taken back there is rejected: 200', async () => {
  const bounty = await inReview()
  await push(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
  host.contained.clear()
  expect((await reject(bounty)).status).toBe(200)
})

test('what was pushed to the default branch and taken back there is shown as open', async () => {
  const bounty = await inReview()
  await push(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
  host.contained.clear()
  start()
  await until(async () => (await row(bounty.pr_url)).state === 'open')
  expect(await row(bounty.pr_url)).toMatchObject({ merged: false, merged_at: null, acceptance_due_at: null })
})

test('merged after it was seen open is no older work, however wrong the clock of the code host is', async () => {
  const bounty = await inReview()
  merge(bounty, { merged_at: secondsAgo(120), created_at: secondsAgo(125) })
  expectError(await reject(bounty), 'pull_request_merged')
  await expectPaid(bounty)
})

test('a merge that was read is paid although the code host hides the account that made it since', async () => {
  const bounty = await inReview()
  merge(bounty)
  expectError(await reject(bounty), 'pull_request_merged')
  merge(bounty, { merged_by: null, user: null })
  await expectPaid(bounty)
})

test('what was found to be merged by itself is paid later although the host no longer compares its commit', async () => {
  const bounty = await inReview()
  await setRows(db, 'submissions', { id: bounty.submissionId }, { merge_counts_from: secondsAgo(18_000) })
  await setRows(db, 'pull_requests', { url: bounty.pr_url }, { refreshed_at: secondsAgo(14_400) })
  merge(bounty, { merged_at: secondsAgo(7200) })
  expectError(await reject(bounty), 'pull_request_merged')
  host.respond = ({ path }) => (path.includes('/compare/') ? missing : undefined)
  await expectPaid(bounty)
})
