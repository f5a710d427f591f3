import { expect, test } from 'vitest'
import type { HostResponse } from '../../support/code-host-proxy.ts'
import { until } from '../../support/until.ts'
import { address, head, missing, openPullRequestScene, path, pull } from './pull-request-scene.ts'

const { except, host, read, repositories, serve } = await openPullRequestScene()

test('every request names the version of the interface that its responses are read by', async () => {
  serve()
  await read()
  const versions = host.requests.map(({ headers }) => headers['x-github-api-version'])
  expect(versions).toEqual(Array(host.requests.length).fill('2022-11-28'))
})

test('what the host reports, without its texts', async () => {
  serve()
  const { repositoryId, facts } = await read()
  expect(repositoryId).toBe(42)
  expect(facts).toEqual({
    state: 'open',
    draft: false,
    merged: false,
    merged_at: null,
    merge_commit_sha: null,
    head_ref: 'agent_1/bnt_1',
    head_sha: head,
    author_id: 9,
    author_login: 'ada',
    fork_owner_id: null,
    additions: 3,
    deletions: 2,
    changed_files: 1,
    mergeable: true,
    merged_by_itself: false,
    merged_by_id: null,
    opened_at: null,
    base_ref: 'main',
    into_default: true,
    changed_at: new Date('2026-11-01T09:00:00Z'),
  })
})

test('a deleted fork and a deleted account', async () => {
  serve({ head: { ref: 'weeks', sha: head, repo: null }, user: null, body: null })
  expect((await read()).facts).toMatchObject({ author_id: null, head_ref: 'weeks', head_sha: head })
})

test('names without control characters, at most 100 characters', async () => {
  serve({ user: { id: 9, login: `a\u0000\u202e${'x'.repeat(300)}` } })
  expect((await read()).facts.author_login).toMatch(/^a x{97}…$/)
})

test('checks that the host lists too late are unknown, and the rest is known', async () => {
  serve({ merged: true, state: 'closed' })
  const served = host.respond
  host.respond = (request) => (request.path.includes('/check-runs') ? new Promise(() => {}) : served(request))
  expect(await read()).toMatchObject({ checks: { state: 'unknown' }, facts: { merged: true } })
})

test('checks that the host no longer lists are unknown, not what they were before', async () => {
  serve()
  host.checks.set(head, { runs: [['build', 'completed', 'success']] })
  const known = await read()
  except('/check-runs', () => ({ status: 502, body: {} }))
  const later = await repositories.readPullRequest(address, { known })
  expect([known, later]).toMatchObject([{ checks: { state: 'success' } }, { checks: { state: 'unknown' } }])
})

test('twenty readings that wait for the host keep no other one from it', async () => {
  serve()
  const served = host.respond
  let release = () => {}
  const held = new Promise<HostResponse>((done) => {
    release = () => done(missing())
  })
  host.respond = (request) => (request.path.endsWith('/pulls/8') ? held : served(request))
  const slow = () => repositories.readPullRequest({ ...address, number: 8 }).catch(() => undefined)
  const waiting = Array.from({ length: 20 }, slow)
  await until(() => host.requests.length === 20)
  expect((await read()).facts.head_sha).toBe(head)
  release()
  await Promise.all(waiting)
})

test('undefined for 404', async () => {
  host.respond = () => ({ status: 404, body: { message: 'Not Found' } })
  expect(await repositories.readPullRequest(address)).toBe(undefined)
})

test('what has not changed is not sent again, and stays', async () => {
  const answers: number[] = []
  const tagged = { status: 200, headers: { etag: '"p1"' }, body: pull() }
  host.respond = ({ path: asked, headers }) => {
    if (asked !== path) return undefined
    answers.push(headers['if-none-match'] === '"p1"' ? 304 : 200)
    return headers['if-none-match'] === '"p1"' ? { status: 304 } : tagged
  }
  host.checks.set(head, { runs: [['build', 'completed', 'failure']], statuses: [['lint', 'success']] })
  const first = await read()
  expect(await repositories.readPullRequest(address, { known: first })).toEqual(first)
  expect(answers).toEqual([200, 304])
  expect(host.requests.filter(({ headers }) => headers['if-none-match'])).toHaveLength(3)
  host.checks.set(head, { runs: [['build', 'completed', 'failure']], statuses: [['lint', 'error']] })
  expect((await repositories.readPullRequest(address, { known: first }))?.checks).toEqual({
    state: 'failure',
    failed: ['build', 'lint'],
    neutral: [],
    skipped: [],
    total: 2,
  })
  // Until it can be merged, the host has to send everything: the tag may not change with that.
  for (const mergeable of [null, false])
    await repositories.readPullRequest(address, {
      known: { ...first, facts: { ...first.facts, mergeable } },
    })
  expect(answers).toEqual([200, 304, 304, 200, 200])
})

test.each([
  ['another number', { number: 8 }],
  ['a merge without its time', { merged: true, merged_at: null }],
  ['the time of a merge that did not happen', { merged_at: '2026-11-01T10:00:00Z' }],
  ['no commit', { head: { ref: 'weeks', sha: 'main; rm -rf' } }],
  ['no name of its branch', { head: { sha: head } }],
])('%s: nothing is known', async (_, fields) => {
  serve(fields)
  await expect(read()).rejects.toMatchObject({ kind: 'unavailable' })
})

test.each<[string, unknown, number | null]>([
  ['the owner of its fork', { id: 5 }, 9],
  ['of a fork that was deleted the account that had it', null, 9],
  ['none, where the branch is in the repository itself', { id: 42 }, null],
])('who opened it is known, and beside it %s', async (_, repo, fork_owner_id) => {
  const from = { ref: 'agent_1/bnt_1', sha: head, user: { id: 9, login: 'acme' }, repo }
  serve({ user: { id: 4, login: 'grace' }, head: from })
  expect((await read()).facts).toMatchObject({ author_id: 4, author_login: 'grace', fork_owner_id })
})
