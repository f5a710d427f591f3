import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { storeDelivery } from '../../../server/code/pull-requests/deliveries.ts'
import { keepReport } from '../../../server/code/pull-requests/reports.ts'
import { submittedHead } from '../../support/code-host.ts'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow, setRows } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { app, createRuledScene, rule, run } from './ruled-scene.ts'
import { author } from './support.ts'

/* A host that lags, hides, and says the same in another way, when a window is over. */
const scene = await createRuledScene()
const { db, host, start, isDone, payments, eventsOf, project, row } = scene
const { shown, ruled, isRunning, running, endWindow, looks, merge, hear, lookAgain, submissionOf } = scene
beforeEach(scene.reset)

const newer: [string, (bounty: SubmittedBounty) => Promise<unknown>][] = [
  ['a webhook that has come', (bounty) => hearOfClosing(bounty)],
  ['a webhook about a newer run of the check', (bounty) => hearOfCheck('check_run', 2)(bounty)],
  ['a webhook about a status', (bounty) => hearOfCheck('status', 1)(bounty)],
  [
    'an earlier reading',
    ({ pr_url }) =>
      setRows(db, 'pull_requests', { url: pr_url }, { changed_at: new Date(Date.now() + 5000) }),
  ],
]

/** The host's webhook names a newer check of the commit, which its lists do not show yet. */
const hearOfCheck = (event: 'check_run' | 'status', check_id: number) => async (bounty: SubmittedBounty) => {
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  const head_sha = await submittedHead(db, bounty.submissionId)
  await storeDelivery(db, {
    id: randomUUID(),
    event,
    action: null,
    repository_id,
    pull_number: null,
    head_sha,
    check_id,
    report: null,
  })
}

/** The host's webhook says that it was closed, which its interface does not show yet. */
async function hearOfClosing({ pr_url }: SubmittedBounty): Promise<void> {
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  const ids = { repository_id: repository_id ?? 0, number: Number(pr_url.split('/').at(-1)) }
  const changed_at = new Date(Date.now() + 5000)
  const closed = { is_open: false, merged: false, is_opening: false, changed_at, head_ref: '' }
  await keepReport(db, { ...ids, ...closed })
}

test.each(newer)('a host that shows less than %s never pays, and ends no window', async (_, happens) => {
  const { bounty, stop } = await running()
  await stop()
  await setRows(db, 'pull_requests', { url: bounty.pr_url }, { due_at: null })
  await happens(bounty)
  await endWindow(bounty)
  const again = start()
  await looks(bounty)
  await again()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
  expect(await eventsOf(bounty, 'acceptance.stopped')).toEqual([])
})

test('a host that hides the pull request for a moment when its window is over is read again within a minute', async () => {
  const { bounty, stop } = await running()
  await stop()
  const refreshed_at = new Date(Date.now() - 1_800_000)
  await setRows(db, 'pull_requests', { url: bounty.pr_url }, { refreshed_at, due_at: null })
  host.respond = () => ({ status: 404, body: { message: 'Not Found' } })
  await endWindow(bounty)
  const again = start()
  await until(async () => Number((await row(bounty.pr_url)).acceptance_due_at) > Date.now())
  await again()
  expect(Number((await row(bounty.pr_url)).acceptance_due_at)).toBeLessThanOrEqual(Date.now() + 61_000)
})

const harmless: [string, () => unknown][] = [
  [
    'that has more than a hundred events',
    () => (shown.events = Array.from({ length: 250 }, (_, id) => ({ id, event: 'mentioned' }))),
  ],
  ['that lists the same runs in another order', () => shown.runs.reverse()],
  [
    'that has more than a hundred other runs and statuses',
    () => {
      shown.runs.push(...Array.from({ length: 150 }, (_, id) => run({ id: 1000 + id, name: `other ${id}` })))
      shown.statuses = Array.from({ length: 150 }, (_, id) => ({
        id,
        context: `other ${id}`,
        state: 'failure',
      }))
    },
  ],
  [
    'that knows the app by a new name',
    () =>
      (shown.runs = [run({ id: 2 }), run()].map((one) => ({ ...one, app: { id: app.id, slug: 'renamed' } }))),
  ],
]

test.each(harmless)('a host %s pays at the end of the window', async (_, change) => {
  const bounty = await ruled()
  shown.runs = [run({ id: 2 }), run()]
  const stop = start()
  await isRunning(bounty)
  change()
  await endWindow(bounty)
  await until(() => isDone(bounty))
  await stop()
  expect((await payments(bounty)).paid).toBe(1)
})

test('a newer status of the same context in other letters counts in place of the green one', async () => {
  const poster = { kind: 'account', id: 99, name: 'ci' }
  const bounty = await ruled({}, { ...rule, checks: [{ name: 'ci/test', posted_by: poster }] })
  const status = (id: number, context: string, state: string) => ({
    id,
    context,
    state,
    creator: { id: 99, login: 'ci' },
  })
  shown.statuses = [status(1, 'ci/test', 'success')]
  const stop = start()
  await isRunning(bounty)
  shown.statuses.unshift(status(2, 'CI/Test', 'failure'))
  await endWindow(bounty)
  await until(async () => (await eventsOf(bounty, 'acceptance.stopped')).length > 0)
  await stop()
  expect(await eventsOf(bounty, 'acceptance.stopped')).toMatchObject([{ data: { reason: 'check_failed' } }])
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
})

test("a founder's merge that a look at the rule sees before anything else is paid, and stops no window", async () => {
  const { bounty, stop } = await running()
  await stop()
  merge(bounty)
  await setRows(db, 'pull_requests', { url: bounty.pr_url }, { due_at: null })
  await lookAgain(bounty)
  start()
  await until(() => isDone(bounty))
  expect(await submissionOf(bounty)).toMatchObject({ accepted_by: 'merge' })
  expect((await payments(bounty)).paid).toBe(1)
  expect(await eventsOf(bounty, 'acceptance.stopped')).toEqual([])
})

test('a merge by its author while the window runs ends the window, and silence does not pay', async () => {
  const { bounty, stop } = await running()
  merge(bounty, { merged_by: author })
  await hear(bounty)
  await until(async () => (await eventsOf(bounty, 'acceptance.stopped')).length > 0)
  await stop()
  expect(await eventsOf(bounty, 'acceptance.stopped')).toMatchObject([{ data: { reason: 'closed' } }])
  expect((await scene.seen(bounty)).accepts_at).toBeNull()
  expect(await payments(bounty)).toEqual({ commits: [], paid: 0 })
})
