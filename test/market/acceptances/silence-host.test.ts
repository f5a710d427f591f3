import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { submittedHead } from '../../support/code-host.ts'
import type { HostResponse } from '../../support/code-host-proxy.ts'
import { beatHeart } from '../../support/deadlines.ts'
import { expectError } from '../../support/errors.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { app, createRuledScene, rule, run } from './ruled-scene.ts'
import { author } from './support.ts'

/* What only the long tests wait for is in silence-host.long.test.ts, and what one look decides in test/lifecycle/acceptance.test.ts. */
const scene = await createRuledScene()
const {
  db,
  host,
  market,
  report,
  post,
  start,
  submissionOf,
  isDone,
  payments,
  eventsOf,
  lookAgain,
  reject,
  project,
  shown,
  respond,
  ruled,
  seen,
  isRunning,
  running,
  endWindow,
  looks,
} = scene
beforeEach(scene.reset)

test('what is green for the whole window is paid once, by eight requests at most for a look', async () => {
  const { bounty, stop } = await running()
  await stop()
  const before = host.requests.length
  await endWindow(bounty)
  start()
  await until(() => isDone(bounty))
  expect(host.requests.length - before).toBeLessThanOrEqual(8)
  expect(await submissionOf(bounty)).toMatchObject({ accepted_by: 'rule' })
  expect(await payments(bounty)).toEqual({ commits: [await submittedHead(db, bounty.submissionId)], paid: 1 })
})

const half = (usual: HostResponse): HostResponse =>
  usual === 'lost' ? usual : { ...usual, headers: { link: '<http://127.0.0.1/?page=2>; rel="next"' } }
const lies: [string, () => void][] = [
  ['that responds 304', () => (shown.instead['check-runs'] = () => ({ status: 304 }))],
  [
    'that refuses the list of events',
    () => (shown.instead.issues = () => ({ status: 403, body: { message: 'Forbidden' } })),
  ],
  ['that shows runs of another commit', () => (shown.runs = [run({ head_sha: 'f'.repeat(40) })])],
  [
    'that shows half of the runs',
    () =>
      (shown.instead['check-runs'] = (usual) =>
        usual === 'lost' ? usual : { ...usual, body: { ...(usual.body as object), total_count: 2 } }),
  ],
  ['that shows half of the statuses', () => (shown.instead['/statuses'] = half)],
  ['that shows half of the events', () => (shown.instead.issues = half)],
  ['that shows half of the files', () => (shown.files = [])],
]

test.each(lies)('a host %s never pays, and ends no window', async (_, lie) => {
  const { bounty, stop } = await running()
  lie()
  await endWindow(bounty)
  await looks(bounty)
  await stop()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
  expect(await eventsOf(bounty, 'acceptance.stopped')).toEqual([])
  expect((await reject(bounty)).status).toBe(200)
})

test("another repository's pull request under the same address never pays", async () => {
  const { bounty, stop } = await running()
  report(bounty.pr_url, { base: { ref: 'main', repo: { id: 999_999, default_branch: 'main' } } })
  await endWindow(bounty)
  await looks(bounty)
  await stop()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
  // The list of all pull requests is refused as long as one of them is another repository's.
  host.pulls.delete(new URL(bounty.pr_url).pathname)
})

const changes: [string, string, (bounty: SubmittedBounty) => void][] = [
  ['another commit', 'another_commit', ({ pr_url }) => report(pr_url, { head: { sha: 'd'.repeat(40) } })],
  ['a repeated green run', 'repeated', () => (shown.runs = [run({ id: 2 })])],
  [
    'a failed run beside the green one',
    'check_failed',
    () => shown.runs.push(run({ id: 2, conclusion: 'failure' })),
  ],
  ['a skipped run', 'check_failed', () => (shown.runs = [run({ conclusion: 'skipped' })])],
  ['a run of another app', 'checks_not_run', () => (shown.runs = [run({ app: { id: 1, slug: 'other' } })])],
  [
    'an earlier path outside',
    'path_not_allowed',
    () => (shown.files = [{ filename: 'src/a', previous_filename: 'a' }]),
  ],
  ['a base that was changed', 'other_base', () => shown.events.push({ id: 1, event: 'base_ref_changed' })],
  ['a time as a draft', 'repeated', () => shown.events.push({ id: 1, event: 'convert_to_draft' })],
]

test.each(changes)('%s at the end of the window pays nothing: %s', async (_, reason, change) => {
  const { bounty, stop } = await running()
  change(bounty)
  await endWindow(bounty)
  await until(async () => (await eventsOf(bounty, 'acceptance.stopped')).length > 0)
  await stop()
  expect(await eventsOf(bounty, 'acceptance.stopped')).toMatchObject([{ data: { reason } }])
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
  expect((await seen(bounty)).accepts_at).toSatisfy((at: Date | null) => at === null || at > new Date())
})

test.each([
  ['a repeated green run', 1, () => (shown.runs = [run({ id: 2 })])],
  ['a failed run beside the green one', 1, () => shown.runs.push(run({ id: 2, conclusion: 'failure' }))],
  ['a run that began again', 1, () => (shown.runs = [run({ id: 2, status: 'queued', conclusion: null })])],
  ['a time as a draft', 0, () => shown.events.push({ id: 1, event: 'convert_to_draft' })],
  ['a path outside', 0, () => (shown.files = [{ filename: 'a' }])],
])('of what ends a window, %s counts in the record of the founder: %i', async (_, count, change) => {
  const { bounty, stop } = await running()
  const heldUp = async () =>
    (await market.api('GET', `/api/agents/${bounty.founder.id}`, bounty.founder)).body.agent.as_founder
      .held_up
  const before = await heldUp()
  change()
  await endWindow(bounty)
  await until(async () => (await eventsOf(bounty, 'acceptance.stopped')).length > 0)
  await stop()
  expect((await heldUp()) - before).toBe(count)
})

test('a status or run by the author of the pull request counts for nothing', async () => {
  const bounty = await ruled(
    {},
    {
      ...rule,
      checks: [{ name: 'test', posted_by: { kind: 'account', id: author.id, name: author.login } }],
    },
  )
  const stop = start()
  await until(async () => (await seen(bounty)).seen?.reason === 'check_by_author')
  await stop()
})

test('a rejection of what was green pays nothing and counts in the record of the founder, which was shown until when it has time', async () => {
  const { bounty, stop } = await running()
  const { key, id } = bounty.founder
  const get = async (path: string) => (await market.api('GET', path, { key })).body
  const { accepts_at } = (await get(`/api/bounties/${bounty.id}/acceptance`)).acceptance
  const { tasks } = await get('/api/agents/me/tasks')
  expect(
    tasks.find((one: { submission_id: string }) => one.submission_id === bounty.submissionId),
  ).toMatchObject({
    action: 'review',
    due_at: accepts_at,
    consequence: expect.stringContaining('It is paid then'),
  })
  const before = (await get(`/api/agents/${id}`)).agent.as_founder
  const rejected = await reject(bounty)
  expect(rejected.status, JSON.stringify(rejected.body)).toBe(200)
  await stop()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
  expect((await get(`/api/agents/${id}`)).agent.as_founder).toMatchObject({
    rejected: before.rejected + 1,
    rejected_green: before.rejected_green + 1,
  })
  expect((await get(`/api/bounties/${bounty.id}/acceptance`)).acceptance).toMatchObject({
    state: 'waiting',
    accepts_at: null,
    head_sha: null,
  })
})

test('a database that has fallen back behind the window begins it anew', async () => {
  const { bounty, stop } = await running()
  await stop()
  await setRows(
    db,
    'submissions',
    { id: bounty.submissionId },
    { accepts_at: null, accepts_sha: null, acceptance_seen: null },
  )
  await lookAgain(bounty)
  const again = start()
  await isRunning(bounty)
  await again()
  expect(Number((await seen(bounty)).accepts_at)).toBeGreaterThan(Date.now() + 71 * 1000)
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
})

test('both sides hear once that a check has not run for an hour', async () => {
  shown.runs = []
  const bounty = await ruled()
  const stop = start()
  await until(async () => (await seen(bounty)).seen?.reason === 'checks_not_run')
  expect(await eventsOf(bounty, 'acceptance.stopped')).toEqual([])
  await sql`update submissions set acceptance_seen = acceptance_seen || jsonb_build_object('since', now() - interval '1 hour')
    where id = ${bounty.submissionId}`.execute(db)
  await looks(bounty, 3)
  await stop()
  expect(await eventsOf(bounty, 'acceptance.stopped')).toMatchObject([{ data: { reason: 'checks_not_run' } }])
  expect((await seen(bounty)).seen?.state).toBe('waiting')
})

test('a request for the rule reads the host anew after a minute, and what that shows is looked at', async () => {
  const { bounty, stop } = await running()
  await scene.age(bounty.pr_url)
  shown.runs = [run({ id: 2, conclusion: 'failure' })]
  const read = async () =>
    (await scene.served.api('GET', `/api/bounties/${bounty.id}/acceptance`, { key: bounty.founder.key })).body
      .acceptance
  expect((await read()).state).toMatch(/running|stopped/)
  await until(async () => (await read()).state === 'stopped')
  await stop()
})

test('an outage of the service puts the end of a window off', async () => {
  const { bounty, stop } = await running()
  await endWindow(bounty)
  await sql`update heartbeat set nothing_lapses_before = now() + interval '1 hour'`.execute(db)
  await looks(bounty, 1)
  await stop()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
  await beatHeart(db)
})

test('a rejection, an approval and the end of a window at once: one of them decides, and nothing is paid twice', async () => {
  for (let round = 0; round < 3; round++) {
    const { bounty, stop } = await running()
    await endWindow(bounty)
    const [rejected] = await Promise.all([
      reject(bounty),
      post(`/api/bounties/${bounty.id}/approve`, bounty.founder.key, { expected_head_sha: 'e'.repeat(40) }),
      round === 1 && report(bounty.pr_url, { head: { sha: 'd'.repeat(40) } }),
    ])
    // The payment may be made before the rejection comes.
    if (rejected.status === 400) expectError(rejected, 'bounty_not_in_review')
    else expect([200, 409]).toContain(rejected.status)
    const isRejected = rejected.status === 200
    if (!isRejected && round !== 1) await until(() => isDone(bounty))
    await stop()
    const { paid } = await payments(bounty)
    if (round === 1 && !isRejected) expect(paid).toBeLessThanOrEqual(1)
    else expect([isRejected, paid]).toEqual(isRejected ? [true, 0] : [false, 1])
  }
})

test('without funds it is blocked, can still be rejected, and is paid when the funds come', async () => {
  const bounty = await ruled()
  await setRows(db, 'bounties', { id: bounty.id }, { reward_amount: 1_000_000_000 })
  const stop = start()
  await isRunning(bounty)
  await endWindow(bounty)
  await until(async () => (await submissionOf(bounty)).acceptance_blocked === 'insufficient_funds')
  expect(await eventsOf(bounty, 'acceptance.blocked')).toMatchObject([
    { data: { reason: 'insufficient_funds' } },
  ])
  await setRows(db, 'bounties', { id: bounty.id }, { reward_amount: 100 })
  await lookAgain(bounty)
  await until(() => isDone(bounty))
  await stop()
  expect((await payments(bounty)).paid).toBe(1)
  expect(project.id).toBe(bounty.project.id)
  expect((await market.api('GET', `/api/bounties/${bounty.id}`)).body.bounty.status).toBe('done')
})

test('502 repository_unreachable for a rule while the host responds nothing or shows another repository; it is set once it is well', async () => {
  const fields = { title: 'Slugs', description: 'All of it.', reward_amount: 10 }
  const acceptance = { checks: ['test'], allowed_paths: ['src/**'], hours: 72 }
  const { key } = project.founder
  const create = () => post(`/api/projects/${project.id}/bounties`, key, { ...fields, acceptance })
  const { id } = (await post(`/api/projects/${project.id}/bounties`, key, fields)).body.bounty
  const update = () => scene.served.api('PATCH', `/api/bounties/${id}`, { key, body: { acceptance } })
  shown.instead['check-runs'] = () => 'lost'
  for (const reply of await Promise.all([create(), update()])) expectError(reply, 'repository_unreachable')
  shown.instead = {}
  host.respond = (request) =>
    /\/repos\/[^/]+\/[^/?]+$/.test(request.path)
      ? { status: 200, body: { id: 999_999, default_branch: 'main' } }
      : respond(request)
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  await setRows(db, 'projects', { id: project.id }, { repository_id: 1 })
  for (const set of [create, update]) expectError(await set(), 'repository_unreachable')
  await setRows(db, 'projects', { id: project.id }, { repository_id: 999_999 })
  expect((await create()).status).toBe(201)
  expect((await update()).body).toMatchObject({ acceptance: { checks: [{ name: 'test', posted_by: app }] } })
  await setRows(db, 'projects', { id: project.id }, { repository_id })
})

test('a commit that was submitted for several bounties is paid once, although all their windows end at once', async () => {
  const members = { head: { sha: 'd'.repeat(40) } }
  const bounties = [await ruled(members), await ruled(members), await ruled(members)]
  const stop = start()
  for (const bounty of bounties) await isRunning(bounty)
  await stop()
  // Nobody is paid before all of them were read.
  let read = 0
  host.respond = async (request) => {
    if (request.path.includes('/issues/')) {
      read++
      await until(() => read >= bounties.length)
    }
    return respond(request)
  }
  for (const bounty of bounties) await endWindow(bounty)
  const again = start()
  await until(async () => (await Promise.all(bounties.map(isDone))).includes(true))
  host.respond = respond
  for (const bounty of bounties) if (!(await isDone(bounty))) await looks(bounty, 1)
  const reasons = () => Promise.all(bounties.map(async (bounty) => (await seen(bounty)).seen?.reason))
  await until(async () => (await reasons()).filter((reason) => reason === 'old_commit').length === 2)
  await again()
  const paid = await Promise.all(bounties.map(payments))
  expect(paid.reduce((sum, one) => sum + one.paid, 0)).toBe(1)
})

test('where another process begins the window anew between the look and the payout, nothing is paid', async () => {
  const { bounty, stop } = await running()
  await stop()
  const anew = new Date(Date.now() + 3_600_000)
  host.respond = async (request) => {
    if (request.path.includes('check-runs'))
      await setRows(db, 'submissions', { id: bounty.submissionId }, { accepts_at: anew })
    return respond(request)
  }
  await endWindow(bounty)
  const again = start()
  await looks(bounty, 1)
  await until(async () => Number((await seen(bounty)).accepts_at) === anew.getTime())
  await again()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
})
