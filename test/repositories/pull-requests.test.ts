import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { createRepositories } from '../../server/repositories/repositories.ts'
import { createCodeHostProxy, type HostResponse } from '../support/code-host-proxy.ts'

const head = 'a'.repeat(40)
const address = { owner: 'acme', repository: 'rocket', number: 7 }
const path = '/repos/acme/rocket/pulls/7'
const bounty = `bnt_${'0'.repeat(20)}`
const agent = `agent_${'1'.repeat(20)}`

/** A pull request as GitHub describes it, in the members that count. */
const pull = (fields: Record<string, unknown> = {}) => ({
  ...{ number: 7, state: 'open', draft: false, merged: false, merge_commit_sha: 'f'.repeat(40) },
  ...{ body: `For ${bounty} by ${agent}, ${agent}.`, head: { sha: head, repo: { id: 5 } } },
  ...{ base: { repo: { id: 42 } }, user: { id: 9, login: 'ada' }, mergeable: true },
  ...{ additions: 3, deletions: 2, changed_files: 1, ...fields },
})

const host = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
const logged: string[] = []
const repositories = createRepositories({
  ...{ apiUrl: host.apiUrl, organization: 'acme', auth: { token: 'ghp_secret' }, timeoutMs: 2000 },
  log: { warn: (fields, message) => void logged.push(JSON.stringify({ ...fields, message })) },
})
afterEach(() => {
  host.respond = () => undefined
  host.requests.length = 0
  host.checks.clear()
  logged.length = 0
})

/** The host has this pull request. */
function serve(fields: Record<string, unknown> = {}): void {
  host.respond = ({ path: asked }) => (asked === path ? { status: 200, body: pull(fields) } : undefined)
}
const read = async () => (await repositories.readPullRequest(address))!

describe('facts', () => {
  test('what the host reports, without its texts', async () => {
    serve()
    expect((await read()).facts).toEqual({
      ...{ repositoryId: 42, state: 'open', draft: false, merged: false, mergeCommitSha: null },
      ...{ headSha: head, author: { id: 9, login: 'ada' }, namedIds: [bounty, agent] },
      ...{ additions: 3, deletions: 2, changedFiles: 1, mergeable: true },
    })
  })

  test('a merged one has the commit that merged it', async () => {
    serve({ state: 'closed', merged: true, mergeable: null })
    expect((await read()).facts).toMatchObject({
      ...{ state: 'closed', merged: true, mergeCommitSha: 'f'.repeat(40), mergeable: null },
    })
  })

  test('a deleted fork and a deleted account', async () => {
    serve({ head: { sha: head, repo: null }, user: null, body: null })
    expect((await read()).facts).toMatchObject({ author: null, headSha: head, namedIds: [] })
  })

  test('names without control characters, at most 100 characters; ids only whole, at most 20', async () => {
    const ids = Array.from({ length: 30 }, (_, nth) => `bnt_${String(nth).padStart(20, '0')}`)
    serve({
      user: { id: 9, login: `a\u0000\u202e${'x'.repeat(300)}` },
      body: `${bounty}0 x${agent} ${ids.join()}`,
    })
    const { author, namedIds } = (await read()).facts
    expect(author?.login).toMatch(/^a x{97}…$/)
    expect(namedIds).toEqual(ids.slice(0, 20))
  })

  test.each([
    ['another number', { number: 8 }],
    ['no commit', { head: { sha: 'main; rm -rf' } }],
    ['merged without a commit', { merged: true, merge_commit_sha: null }],
  ])('%s: not a pull request of this host', async (_, fields) => {
    serve(fields)
    const result = await repositories.readPullRequest(address).catch(({ kind }) => kind)
    expect(result).toBe('number' in fields ? undefined : 'unavailable')
  })

  test('undefined for 404, unavailable for 403 of a rate limit', async () => {
    host.respond = () => ({ status: 404, body: { message: 'Not Found' } })
    expect(await repositories.readPullRequest(address)).toBe(undefined)
    host.respond = () => ({
      status: 403,
      headers: { 'retry-after': '3600' },
      body: { message: 'secondary rate limit' },
    })
    await expect(repositories.readPullRequest(address)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('what has not changed is not sent again, and stays', async () => {
    host.pulls.set('/acme/rocket/pull/7', {})
    const answers: number[] = []
    const tagged = { status: 200, headers: { etag: '"p1"' }, body: pull() }
    host.respond = ({ path: asked, headers }) => {
      if (asked !== path) return undefined
      answers.push(headers['if-none-match'] === '"p1"' ? 304 : 200)
      return headers['if-none-match'] === '"p1"' ? { status: 304 } : tagged
    }
    host.checks.set(head, { runs: [['build', 'completed', 'failure']], statuses: [['lint', 'success']] })
    const first = await read()
    expect(await repositories.readPullRequest(address, first)).toEqual(first)
    expect(answers).toEqual([200, 304])
    expect(host.requests.filter(({ headers }) => headers['if-none-match'])).toHaveLength(3)
    host.checks.set(head, { runs: [['build', 'completed', 'failure']], statuses: [['lint', 'error']] })
    expect((await repositories.readPullRequest(address, first))?.checks).toEqual({
      ...{ state: 'failure', failed: ['build', 'lint'] },
    })
    // While the host finds out whether it can be merged, it has to send everything.
    await repositories.readPullRequest(address, { ...first, facts: { ...first.facts, mergeable: null } })
    expect(answers).toEqual([200, 304, 304, 200])
  })
})

describe('checks', () => {
  test.each<[string, Parameters<typeof host.checks.set>[1], string, string[]]>([
    ['nothing', {}, 'none', []],
    [
      'runs that pass',
      {
        runs: [
          ['a', 'completed', 'success'],
          ['b', 'completed', 'skipped'],
        ],
      },
      'success',
      [],
    ],
    [
      'a run under way',
      {
        runs: [
          ['a', 'completed', 'neutral'],
          ['b', 'in_progress'],
        ],
      },
      'pending',
      [],
    ],
    [
      'a failed run',
      {
        runs: [
          ['a', 'completed', 'timed_out'],
          ['b', 'queued'],
        ],
      },
      'failure',
      ['a'],
    ],
    ['a status that passed', { statuses: [['a', 'success']] }, 'success', []],
    [
      'a status that waits',
      { runs: [['a', 'completed', 'success']], statuses: [['b', 'pending']] },
      'pending',
      [],
    ],
    ['a failed status', { runs: [['a', 'queued']], statuses: [['b', 'error']] }, 'failure', ['b']],
  ])('%s', async (_, checks, state, failed) => {
    serve()
    host.checks.set(head, checks)
    expect((await read()).checks).toEqual({ state, failed })
  })

  test.each([403, 404, 422])('%i, because a permission or the commit is missing: none', async (status) => {
    host.respond = ({ path: asked }) =>
      asked === path
        ? { status: 200, body: pull() }
        : { status, body: { message: 'Resource not accessible' } }
    expect((await read()).checks).toEqual({ state: 'none', failed: [] })
  })

  test('of more failures than 20, 20 names', async () => {
    serve()
    host.checks.set(head, {
      runs: Array.from({ length: 50 }, (_, nth) => [`${nth}\n`, 'completed', 'failure']),
    })
    expect((await read()).checks.failed).toEqual(Array.from({ length: 20 }, (_, nth) => `${nth}`))
  })
})

describe('merge', () => {
  const commit = { headSha: head, title: 'Add\n\u202edivision (#7)', message: 'Bounty: x' }
  const answering = (response: HostResponse) => {
    host.respond = () => response
    return repositories.merge(address, commit)
  }

  test('sends the commit, the method and the texts once', async () => {
    expect(await answering({ status: 200, body: { merged: true, sha: head, message: '' } })).toEqual({
      mergeCommitSha: head,
    })
    expect(host.requests).toMatchObject([
      {
        ...{ method: 'PUT', path: `${path}/merge` },
        body: {
          sha: head,
          merge_method: 'squash',
          commit_title: 'Add division (#7)',
          commit_message: 'Bounty: x',
        },
      },
    ])
  })

  test.each([
    [405, 'not_mergeable'],
    [409, 'head_changed'],
    [403, 'not_allowed'],
    [404, 'not_allowed'],
    [422, 'not_allowed'],
  ])('%i: %s; the log has the status and no text of the host', async (status, refused) => {
    const body = { message: 'a text of the host' }
    expect(await answering({ status, body })).toEqual({ refused, status })
    expect(logged).toMatchObject([expect.stringContaining(`"status":${status}`)])
    expect(logged.join()).not.toContain('text of the host')
  })

  const limited = { message: 'You have exceeded a secondary rate limit.' }
  test.each<[string, HostResponse]>([
    ['403 of a rate limit', { status: 403, headers: { 'retry-after': '3600' }, body: limited }],
    ['429', { status: 429, headers: { 'retry-after': '3600' }, body: limited }],
    ['502', { status: 502, body: {} }],
    ['a lost response', 'lost'],
    ["a proxy's page", { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ])('%s: unavailable, sent once', async (_, response) => {
    await expect(answering(response)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(host.requests).toHaveLength(1)
  })
})

test('a renamed repository: reads and merges follow its new address with their credentials', async () => {
  const moved = await createCodeHostProxy('http://127.0.0.1:9/api/v3')
  onTestFinished(moved.close)
  const location = (asked: string) => host.apiUrl + asked.replace('/repos/acme/rocket', '/repositories/42')
  host.respond = ({ method, path: asked, headers, body }) => {
    if (headers.authorization !== 'token ghp_secret') return { status: 401, body: {} }
    if (asked.startsWith('/repos/'))
      return { status: method === 'GET' ? 301 : 307, headers: { location: location(asked) }, body: {} }
    if (method === 'PUT') return { status: 200, body: { merged: body?.sha === head, sha: head } }
    return asked === '/repositories/42/pulls/7' ? { status: 200, body: pull() } : { status: 404, body: {} }
  }
  expect((await read()).facts.repositoryId).toBe(42)
  expect(await repositories.merge(address, { headSha: head, title: 't', message: 'm' })).toEqual({
    mergeCommitSha: head,
  })
})
