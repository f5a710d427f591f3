import { afterEach, describe, expect, test } from 'vitest'
import { createRepositories } from '../../../server/code/host/repositories.ts'
import { createCodeHostProxy, type HostResponse } from '../../support/code-host-proxy.ts'

const head = 'a'.repeat(40)
const address = { owner: 'acme', repository: 'rocket', number: 7 }
const pull = {
  number: 7,
  state: 'open',
  merged: false,
  head: { ref: 'weeks', sha: head },
  updated_at: '2026-11-01T10:00:00Z',
  base: { ref: 'main', repo: { id: 42, default_branch: 'main' } },
  additions: 3,
  deletions: 2,
  changed_files: 1,
  mergeable: true,
}

const host = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
const repositories = createRepositories({
  apiUrl: host.apiUrl,
  organization: 'acme',
  auth: { token: 'ghp_secret' },
  timeoutMs: 2000,
  log: { warn: () => undefined },
})
afterEach(() => {
  host.requests.length = 0
})

type Body = Record<string, unknown>
type Responses = { runs?: (page: number) => HostResponse; statuses?: HostResponse; workflows?: HostResponse }

const ok = (body: unknown): HostResponse => ({ status: 200, body })
const noStatuses = ok({ state: 'pending', total_count: 0, statuses: [] })
const pageOf = (path: string) => Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? 1)

/** The host responds so about the newest commit of the pull request. */
function serve({
  runs = () => ok(listed([])),
  statuses = noStatuses,
  workflows = ok({ workflow_runs: [] }),
}: Responses) {
  host.respond = ({ path }) => {
    if (path.includes('/check-runs?')) return runs(pageOf(path))
    if (path.includes('/status?')) return statuses
    if (path.includes('/actions/runs?')) return workflows
    return path.endsWith('/pulls/7') ? ok(pull) : undefined
  }
}
const listed = (check_runs: unknown[], total_count = check_runs.length) => ({ total_count, check_runs })
const runsOf = (...check_runs: unknown[]) => ({ runs: () => ok(listed(check_runs)) })
const statusesOf = (state: unknown, ...statuses: unknown[]) => ({
  statuses: ok({ state, total_count: Math.max(1, statuses.length), statuses }),
})

/** A check run as GitHub describes it, in the members that count. */
const run = (fields: Body = {}) => ({
  id: 1,
  name: 'build',
  status: 'completed',
  conclusion: 'success',
  app: { id: 15368 },
  check_suite: { id: 1 },
  ...fields,
})
const passed = run({ id: 99, name: 'other' })

async function read(responses: Responses) {
  serve(responses)
  return (await repositories.readPullRequest(address))!
}
const checksOf = async (responses: Responses) => (await read(responses)).checks
const nothing = { failed: [], neutral: [], skipped: [] }

describe('a check run beside one that has passed', () => {
  test.each<[unknown, Body]>([
    ['success', { state: 'success' }],
    ['failure', { state: 'failure', failed: ['build'] }],
    ['timed_out', { state: 'failure', failed: ['build'] }],
    ['cancelled', { state: 'failure', failed: ['build'] }],
    ['action_required', { state: 'failure', failed: ['build'] }],
    ['startup_failure', { state: 'failure', failed: ['build'] }],
    ['neutral', { state: 'success', neutral: ['build'] }],
    ['skipped', { state: 'success', skipped: ['build'] }],
    ['stale', { state: 'unknown' }],
    ['a word of later', { state: 'unknown' }],
    ['constructor', { state: 'unknown' }],
    [null, { state: 'unknown' }],
    [undefined, { state: 'unknown' }],
    [7, { state: 'unknown' }],
  ])('concluded %s: %o', async (conclusion, expected) => {
    expect(await checksOf(runsOf(run({ conclusion }), passed))).toEqual({ ...nothing, total: 2, ...expected })
  })

  test.each<[unknown, string]>([
    ['queued', 'pending'],
    ['in_progress', 'pending'],
    ['waiting', 'pending'],
    ['requested', 'pending'],
    ['pending', 'pending'],
    ['a word of later', 'unknown'],
    ['success', 'unknown'],
    [null, 'unknown'],
    [undefined, 'unknown'],
  ])('in the phase %s: %s', async (status, state) => {
    for (const conclusion of [null, 'success'])
      expect(await checksOf(runsOf(run({ status, conclusion }), passed))).toMatchObject({ state })
  })

  test.each(['neutral', 'skipped'])('is no success alone: %s', async (conclusion) => {
    const checks = await checksOf(runsOf(run({ conclusion })))
    expect(checks).toEqual({ ...nothing, state: 'none', [conclusion]: ['build'], total: 1 })
  })

  test.each<[string, Body]>([
    ['id', { id: null }],
    ['app', { app: null }],
    ['name', { name: null }],
    ['suite', { check_suite: null }],
  ])('counts though the host does not say its %s', async (member, absent) => {
    for (const fields of [absent, { [member === 'suite' ? 'check_suite' : member]: undefined }]) {
      const failing = run({ conclusion: 'failure', ...fields })
      expect(await checksOf(runsOf(failing, passed))).toMatchObject({ state: 'failure' })
    }
  })
})

describe('a status', () => {
  const other = { context: 'other', state: 'success' }
  test.each<[unknown, unknown, Body]>([
    ['success', 'success', { state: 'success' }],
    ['pending', 'pending', { state: 'pending' }],
    ['failure', 'failure', { state: 'failure', failed: ['lint'] }],
    ['failure', 'error', { state: 'failure', failed: ['lint'] }],
    ['failure', 'success', { state: 'failure' }], // the failed one is on a later page
    ['success', 'a word of later', { state: 'unknown' }],
    ['success', null, { state: 'unknown' }],
    ['success', undefined, { state: 'unknown' }],
    ['a word of later', 'success', { state: 'unknown' }],
    [null, 'success', { state: 'unknown' }],
    [undefined, 'success', { state: 'unknown' }],
  ])('of a commit that is %s as a whole: %s: %o', async (together, state, expected) => {
    const checks = await checksOf(statusesOf(together, { context: 'lint', state }, other))
    expect(checks).toEqual({ ...nothing, total: 2, ...expected })
  })

  test.each([null, undefined])('has failed without a name: %s', async (context) => {
    const checks = await checksOf(statusesOf('failure', { context, state: 'error' }))
    expect(checks).toEqual({ ...nothing, state: 'failure', total: 1 })
  })
})

test.each<[string, Responses, string]>([
  ['nothing', {}, 'none'],
  [
    'a failed status beside a run under way',
    { ...runsOf(run({ status: 'queued' })), ...statusesOf('error') },
    'failure',
  ],
  ['a status that waits beside a run that passed', { ...runsOf(run()), ...statusesOf('pending') }, 'pending'],
  [
    'a run of unknown outcome beside a status that passed',
    { ...runsOf(run({ status: 'x' })), ...statusesOf('success') },
    'unknown',
  ],
  [
    'a run that was skipped beside a status that passed',
    { ...runsOf(run({ conclusion: 'skipped' })), ...statusesOf('success') },
    'success',
  ],
])('runs and statuses together: %s', async (_, responses, state) => {
  expect(await checksOf(responses)).toMatchObject({ state })
})

test.each<[string, Responses]>([
  ['no total', { runs: () => ok({ check_runs: [] }) }],
  ['a total that is none', { runs: () => ok({ total_count: -1, check_runs: [] }) }],
  ['a total beyond all counting', { runs: () => ok({ total_count: 1e12, check_runs: [] }) }],
  ['no runs', { runs: () => ok({ total_count: 0, check_runs: null }) }],
  ['runs that are none', runsOf(null)],
  ['no statuses', { statuses: ok({ state: 'success', total_count: 1 }) }],
  ['no total of statuses', { statuses: ok({ state: 'success', total_count: null, statuses: [] }) }],
  ['a page', { runs: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }) }],
  ['a failure', { runs: () => ({ status: 502, body: { message: 'Server Error' } }) }],
  [
    "a proxy's 404",
    { runs: () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<html>' }) },
  ],
])('what the host cannot say of the checks is unknown, and the rest is known: %s', async (_, responses) => {
  expect(await checksOf(responses)).toMatchObject({ state: 'unknown', total: null })
})

describe('of runs with one name counts', () => {
  const failed = run({ id: 1, conclusion: 'failure', check_suite: { id: 10 } })
  const later = (fields: Body = {}) => run({ id: 2, check_suite: { id: 20 }, ...fields })
  const workflow = (check_suite_id: number, workflow_id: number, name = `${workflow_id}`) => ({
    check_suite_id,
    workflow_id,
    name,
  })
  const workflowsOf = (...workflow_runs: unknown[]) => ({ workflows: ok({ workflow_runs }) })
  const hidden = { workflows: { status: 403, body: { message: 'Resource not accessible' } } }
  test.each<[string, unknown[], object, string]>([
    ['the newest, in another suite', [failed, later()], {}, 'success'],
    ['the newest, whatever the order', [later(), failed], {}, 'success'],
    ['the newest, though it has failed', [later({ conclusion: 'failure' }), run()], {}, 'failure'],
    ['the newest, though it runs', [failed, later({ status: 'queued' })], {}, 'pending'],
    ['the newest of a workflow', [failed, later()], workflowsOf(workflow(10, 5), workflow(20, 5)), 'success'],
    [
      'the newest of workflows with one name',
      [failed, later()],
      workflowsOf(workflow(10, 5, 'CI'), workflow(20, 6, 'CI')),
      'success',
    ],
    ['each workflow', [failed, later()], workflowsOf(workflow(10, 5), workflow(20, 6)), 'failure'],
    ['each, if the workflow of one is not known', [failed, later()], workflowsOf(workflow(20, 6)), 'failure'],
    ['the newest, if workflows are hidden', [failed, later()], hidden, 'success'],
    [
      'the newest, if the host has no workflows',
      [failed, later()],
      { workflows: { status: 404, body: {} } },
      'success',
    ],
    ['each app', [failed, later({ app: { id: 7 } })], {}, 'failure'],
    ['each of which the app is not known', [{ ...failed, app: null }, later({ app: null })], {}, 'failure'],
    ['each name', [failed, later({ name: 'lint' })], {}, 'failure'],
    ['each job of a workflow', [failed, later({ check_suite: { id: 10 } })], {}, 'failure'],
  ])('%s', async (_, runs, workflows, state) => {
    const checks = await checksOf({ ...runsOf(...runs), ...workflows })
    expect(checks).toEqual({ ...nothing, state, failed: state === 'failure' ? ['build'] : [], total: 2 })
  })

  test('nothing that is known, while the host cannot list the workflows', async () => {
    const workflows = { status: 502, body: { message: 'Server Error' } }
    const checks = await checksOf({ ...runsOf(failed, later()), workflows })
    expect(checks).toMatchObject({ state: 'unknown', total: null })
  })

  test('the workflows are asked for only if they matter', async () => {
    await checksOf(runsOf(run(), later()))
    await checksOf(runsOf(failed, later({ name: 'lint' })))
    expect(host.requests.filter(({ path }) => path.includes('/actions/'))).toEqual([])
  })
})

describe('pages', () => {
  /** So many runs of different names; `unusual` changes one. */
  const many = (count: number, unusual: Record<number, Body> = {}, total = count) => ({
    runs: (page: number) => {
      const all = Array.from({ length: count }, (_, nth) =>
        run({ id: nth + 1, name: `${nth}`, ...unusual[nth] }),
      )
      const response = listed(all.slice((page - 1) * 100, page * 100), total)
      return { status: 200, headers: { etag: `"${page}"` }, body: response }
    },
  })
  const asked = () =>
    host.requests.filter(({ path }) => path.includes('/check-runs?')).map(({ path }) => pageOf(path))

  test('success of 500 runs, in five requests, without a tag that would hide a later failure', async () => {
    const { checks, cache } = await read(many(500))
    expect(checks).toEqual({ ...nothing, state: 'success', total: 500 })
    expect(asked()).toEqual([1, 2, 3, 4, 5])
    expect(cache.runs).not.toHaveProperty('etag')
  })

  test('a failure on the fifth page counts', async () => {
    expect(await checksOf(many(500, { 499: { conclusion: 'failure' } }))).toMatchObject({
      state: 'failure',
      failed: ['499'],
    })
  })

  test('unknown where the second page repeats runs of the first', async () => {
    const repeated = { 100: { id: 1 }, 101: { id: 2 } }
    expect(await checksOf(many(150, repeated))).toEqual({ ...nothing, state: 'unknown', total: 150 })
  })

  test('unknown with the number of more runs than are read', async () => {
    expect(await checksOf(many(1001))).toEqual({ ...nothing, state: 'unknown', total: 1001 })
    expect(asked()).toEqual([1, 2, 3, 4, 5])
  })

  test('failure among those that are read, whatever the others are', async () => {
    expect(await checksOf(many(1001, { 7: { conclusion: 'failure' } }))).toMatchObject({
      state: 'failure',
      total: 1001,
    })
  })

  test('unknown if the host counts more than it lists', async () => {
    for (const [count, total] of [
      [2, 3],
      [120, 130],
    ] as const)
      expect(await checksOf(many(count, {}, total))).toEqual({ ...nothing, state: 'unknown', total })
  })

  test('of more failures than 20, 20 names in one line each', async () => {
    const runs = Array.from({ length: 50 }, (_, nth) => run({ name: `${nth}\n`, conclusion: 'failure' }))
    expect((await checksOf(runsOf(...runs))).failed).toEqual(Array.from({ length: 20 }, (_, nth) => `${nth}`))
  })
})

describe('what the host does not show', () => {
  const refused = (status: number) => ({
    status,
    body: { message: 'Resource not accessible by integration' },
  })

  test.each([403, 410])('%i: unknown, also beside what it shows', async (status) => {
    const unknown = { ...nothing, state: 'unknown', total: null }
    expect(await checksOf({ runs: () => refused(status) })).toEqual(unknown)
    expect(await checksOf({ runs: () => refused(status), ...statusesOf('success') })).toEqual(unknown)
    expect(await checksOf({ ...runsOf(run()), statuses: refused(status) })).toEqual(unknown)
  })

  test('403 of runs beside a status that has failed: failure', async () => {
    const statuses = statusesOf('failure', { context: 'lint', state: 'failure' })
    const checks = await checksOf({ runs: () => refused(403), ...statuses })
    expect(checks).toEqual({ ...nothing, state: 'failure', failed: ['lint'], total: null })
  })

  test('403 after they could be read: unknown, no longer success', async () => {
    const known = await read(runsOf(run()))
    expect(known.checks.state).toBe('success')
    serve({ runs: () => refused(403) })
    expect((await repositories.readPullRequest(address, { known }))?.checks.state).toBe('unknown')
  })

  test.each([
    [404, 'because the host hides it for a moment', { state: 'unknown', total: null }],
    [422, 'because it does not have the commit yet', { state: 'unknown', total: null }],
  ])('%i, %s: %o', async (status, _, expected) => {
    const shown = await checksOf({ runs: () => refused(status), statuses: refused(status) })
    expect(shown).toEqual({ ...nothing, ...expected })
  })
})
