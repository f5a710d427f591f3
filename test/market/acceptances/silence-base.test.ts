import { beforeEach, expect, test } from 'vitest'
import type { SubmittedBounty } from '../../support/scenarios.ts'
import { readRow } from '../../support/stored.ts'
import { until } from '../../support/until.ts'
import { createRuledScene, rule, run } from './ruled-scene.ts'
import { secondsAgo } from './support.ts'

const scene = await createRuledScene()
const {
  db,
  report,
  start,
  isDone,
  payments,
  project,
  shown,
  ruled,
  seen,
  isRunning,
  running,
  endWindow,
  looks,
} = scene
beforeEach(scene.reset)

/** A check run of a suite that began so many seconds ago. */
function runOf(suite: number, began: number, members: object = {}): void {
  shown.runs.push(run({ id: suite, check_suite: { id: suite }, ...members }))
  shown.suites.push({ id: suite, created_at: secondsAgo(began) })
}

/** The default branch of the repository was renamed so many seconds ago: the host moves the base of what is open. */
async function rename({ pr_url }: SubmittedBounty, ago: number): Promise<void> {
  const { repository_id } = await readRow(db, 'projects', { id: project.id })
  report(pr_url, { base: { ref: 'trunk', repo: { id: Number(repository_id), default_branch: 'trunk' } } })
  shown.events.push({ id: 77, event: 'automatic_base_change_succeeded', created_at: secondsAgo(ago) })
}

const reasonOf = async (bounty: SubmittedBounty) => (await seen(bounty)).seen?.reason
const stopsBy = (bounty: SubmittedBounty, reason: string) =>
  until(async () => (await reasonOf(bounty)) === reason)

test('a renamed default branch ends the window, and another begins once the checks have begun on it', async () => {
  const { bounty } = await running()
  shown.runs = []
  runOf(1, 100)
  await rename(bounty, 50)
  await looks(bounty)
  await stopsBy(bounty, 'other_base')
  runOf(2, 40)
  await looks(bounty)
  await isRunning(bounty)
  await endWindow(bounty)
  await until(() => isDone(bounty))
  expect((await payments(bounty)).paid).toBe(1)
})

test('a check that is repeated in a suite from before the base was changed proves nothing', async () => {
  const bounty = await ruled()
  shown.runs = []
  runOf(1, 100, { id: 9, completed_at: secondsAgo(1) })
  await rename(bounty, 50)
  start()
  await looks(bounty, 3)
  expect(await reasonOf(bounty)).toBe('other_base')
})

test.each([
  ['before', 100, 'other_base'],
  ['after', 40, null],
])('of a status counts when it was posted: %s the base was changed', async (_, ago, reason) => {
  const poster = { kind: 'account', id: 9, name: 'ci' }
  const bounty = await ruled({}, { ...rule, checks: [{ name: 'test', posted_by: poster }] })
  const status = { id: 1, context: 'test', state: 'success', creator: { id: 9, login: 'ci' } }
  shown.statuses = [{ ...status, created_at: secondsAgo(ago) }]
  await rename(bounty, 50)
  start()
  await until(async () => (await seen(bounty)).seen !== null)
  expect(await reasonOf(bounty)).toBe(reason)
})

test('silence pays where the base has part of the commits by now', async () => {
  shown.listed = [{ filename: 'src/a.ts' }, { filename: 'src/b.ts' }]
  const bounty = await ruled({ changed_files: 2 })
  start()
  await isRunning(bounty)
  await endWindow(bounty)
  await until(() => isDone(bounty))
  expect((await payments(bounty)).paid).toBe(1)
})

test.each([
  [
    'one of the files of the pull request',
    () => (shown.listed = [{ filename: 'src/a.ts' }, { filename: 'b' }]),
  ],
  [
    'one of the files that differ now',
    () => {
      shown.files = [{ filename: 'b' }]
      shown.listed = [{ filename: 'src/a.ts' }, { filename: 'src/b.ts' }]
    },
  ],
])('%s is not allowed: silence does not pay', async (_, show) => {
  show()
  const bounty = await ruled({ changed_files: 2 })
  start()
  await stopsBy(bounty, 'path_not_allowed')
})

test('a host that lists half of the files of a pull request never pays', async () => {
  const bounty = await ruled({ changed_files: 3 })
  shown.listed = [{ filename: 'src/a.ts' }, { filename: 'src/b.ts' }]
  start()
  await looks(bounty, 3)
  expect(await seen(bounty)).toMatchObject({ accepts_at: null, seen: null })
})
