/** @module-tag git */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { verify } from '@octokit/webhooks-methods'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openTokens } from '../../../server/embedded/github/tokens.ts'
import { afterFile } from '../../support/leaks/closing.ts'
import { until } from '../../support/until.ts'
import { temporaryDirectory } from '../support.ts'
import {
  base,
  clone,
  git,
  platformToken,
  pull,
  requestToken,
  startWithGit,
  startWithPull,
} from './git-client.ts'
import { descriptions, start } from './support.ts'

test('from clone to merge: what an agent pushes is on main as one commit', async () => {
  const { call, asAda, asBob, work, sha, opened, address, deliveries, webhookSecret, webUrl } =
    await startWithPull()
  expect(opened.body).toMatchObject({
    number: 1,
    state: 'open',
    user: { login: 'agent_ada' },
    head: { ref: 'agent_ada/wings', sha },
    commits: 1,
    additions: 3,
    deletions: 1,
    changed_files: 2,
    mergeable: true,
    merged: false,
    merge_commit_sha: null,
  })
  expect((await asBob('GET', `${base}/pulls/1/files`)).body).toMatchObject([
    {
      filename: 'README.md',
      status: 'modified',
      additions: 1,
      deletions: 1,
    },
    {
      filename: 'wings.txt',
      status: 'added',
      additions: 2,
      deletions: 0,
    },
  ])
  expect((await asBob('GET', `${base}/pulls/1/commits`)).body).toMatchObject([
    { sha, commit: { message: 'Add wings', author: { name: 'Ada' } } },
  ])
  expect((await call('GET', `${base}/commits/${sha}`)).body).toMatchObject({ sha, stats: { total: 4 } })
  const diff = await (await fetch(`${webUrl}/acme/rocket/pull/1.diff`)).text()
  expect(diff).toBe(await work.gitAll(['diff', 'origin/main', 'HEAD']).then((text) => `${text}\n`))
  expect(await (await fetch(`${webUrl}/acme/rocket/pull/1`)).text()).toContain('/acme/rocket/pull/1.diff"')

  const next = await work.commit({ 'more.txt': 'x' })
  await work.push('HEAD:refs/heads/agent_ada/wings')
  expect((await call('GET', `${base}/pulls/1`)).body).toMatchObject({ head: { sha: next }, commits: 2 })
  const since = await fetch(`${webUrl}/acme/rocket/pull/1/files/${sha}..${next}`)
  expect(await since.text()).toBe(await work.gitAll(['diff', sha, next]).then((text) => `${text}\n`))
  const unknown = await fetch(`${webUrl}/acme/rocket/pull/1/files/${sha}..${'0'.repeat(40)}`)
  expect(unknown.status).toBe(404)
  const merge = { merge_method: 'squash', sha }
  expect(descriptions['github.com'].requestProblems('PUT', `${base}/pulls/1/merge`, merge)).toEqual([])
  const refused = await call('PUT', `${base}/pulls/1/merge`, merge)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Head branch was modified. Review and try the merge again.',
  ])
  expect((await asAda('PUT', `${base}/pulls/1/merge`, { ...merge, sha: next })).status).toBe(403)
  const merged = await call('PUT', `${base}/pulls/1/merge`, { ...merge, sha: next })
  expect(merged.body).toMatchObject({ merged: true, message: 'Pull Request successfully merged' })
  expect((await call('GET', `${base}/pulls/1`)).body).toMatchObject({
    state: 'closed',
    merged: true,
    merge_commit_sha: merged.body.sha,
    head: { sha: next },
    changed_files: 3,
  })
  const after = await clone(address)
  expect(await after.gitAll(['log', '--format=%H %an %s', 'origin/main', '-1'])).toBe(
    `${merged.body.sha} agent_ada Add wings (#1)`,
  )
  expect(await after.gitAll(['rev-list', '--count', 'HEAD'])).toBe('2')
  expect(await after.gitAll(['show', 'HEAD:wings.txt'])).toBe('one\ntwo')
  // The merged commit stays. Its branch does not, so that nobody runs out of branches by being merged.
  expect(await after.gitAll(['ls-remote', '--heads', address, 'refs/heads/agent_ada/*'])).toBe('')
  expect((await after.git('fetch', address, 'refs/pull/1/head')).code).toBe(0)

  const pushes = () => deliveries.filter(({ event }) => event === 'push')
  const bodies = () => deliveries.filter(({ event }) => event !== 'push').map(({ text }) => JSON.parse(text))
  await until(() => bodies().length >= 3 && pushes().length >= 2)
  expect(JSON.parse(pushes()[0]?.text ?? '')).toMatchObject({ sender: { login: 'agent_ada' } })
  expect(bodies().map(({ action, pull_request }) => [action, pull_request.head.sha])).toEqual(
    expect.arrayContaining([
      ['opened', sha],
      ['synchronize', next],
      ['closed', next],
    ]),
  )
  for (const { text, headers } of deliveries)
    expect(await verify(webhookSecret, text, String(headers['x-hub-signature-256']))).toBe(true)
})

test('a push needs a token, and goes below the own name only; nothing of a refused one stays', async () => {
  const { address, ada, webUrl } = await startWithGit()
  const work = await clone(address, ada)
  await work.commit({ 'a.txt': 'a' })
  const push = (refspec: string, token?: string) => git(work.directory, ['push', address, refspec], token)
  const own = 'HEAD:refs/heads/agent_ada/x'
  expect((await push(own)).output).toContain('could not read Username')
  const refusal = (await push(own, 'ghu_eA.eA')).output
  expect(refusal).toContain('Authentication failed')
  expect(refusal).toContain(`remote: Get a token with your access token: POST ${webUrl}/token`)
  expect((await push(own, platformToken)).output).toContain('Authentication failed')
  const onlyBelow = 'you may push below refs/heads/agent_ada/ only'
  for (const [refspec, message] of [
    ['HEAD:refs/heads/main', 'GH006: Protected branch update failed for refs/heads/main.'],
    [':refs/heads/main', 'GH006: Protected branch update failed for refs/heads/main.'],
    ['HEAD:refs/heads/agent_bob/x', onlyBelow],
    ['HEAD:refs/heads/agent_ada2/x', onlyBelow],
    ['HEAD:refs/heads/agent_ada', onlyBelow],
    ['HEAD:refs/heads/AGENT_ADA/x', onlyBelow],
    ['HEAD:refs/tags/v1', onlyBelow],
    ['HEAD:refs/notes/x', onlyBelow],
    ['HEAD:refs/pull/1/head', 'deny updating a hidden ref'],
  ] as const) {
    const { code, output } = await push(refspec, ada)
    expect([refspec, code, output]).toEqual([refspec, 1, expect.stringContaining(message)])
  }
  // One refused ref refuses the whole push.
  const both = await git(work.directory, ['push', address, own, 'HEAD:refs/heads/main'], ada)
  expect(both.code).toBe(1)
  const before = await work.gitAll(['rev-parse', 'origin/main'])
  expect(await work.gitAll(['ls-remote', address])).toBe(`${before}\tHEAD\n${before}\trefs/heads/main`)
})

test('an agent rewrites and deletes its own branches, which closes their pull requests; names cannot trick the shell', async () => {
  const { work, call, directory } = await startWithPull()
  const sha = await work.gitAll(['commit', '--quiet', '--amend', '-m', 'Rewritten'], ['rev-parse', 'HEAD'])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, not ours
  const trick = 'agent_ada/$(touch${IFS}tricked);`touch${IFS}tricked`'
  expect((await work.push(`HEAD:refs/heads/${trick}`)).code).toBe(0)
  expect((await work.push('HEAD:refs/heads/agent_ada/wings')).output).toContain('non-fast-forward')
  expect((await work.push('+HEAD:refs/heads/agent_ada/wings')).code).toBe(0)
  expect((await call('GET', `${base}/pulls/1`)).body).toMatchObject({ head: { sha }, state: 'open' })
  expect((await work.push(':refs/heads/agent_ada/wings')).code).toBe(0)
  expect((await call('GET', `${base}/pulls/1`)).body).toMatchObject({
    state: 'closed',
    merged: false,
    head: { sha },
  })
  const again = await call('PATCH', `${base}/pulls/1`, { state: 'open' })
  expect(again.status).toBe(422)
  expect((await readdir(directory, { recursive: true })).filter((name) => name.endsWith('/tricked'))).toEqual(
    [],
  )
})

test('405 for other ways to merge, drafts, conflicts, and what is merged already', async () => {
  const { call, asAda, asBob, work } = await startWithPull()
  const merge = async (number: number, merge_method = 'squash') => {
    const { status, body } = await call('PUT', `${base}/pulls/${number}/merge`, { merge_method })
    return [status, body.message]
  }
  expect(await merge(1, 'merge')).toEqual([405, 'Merge commits are not allowed on this repository.'])
  expect(await merge(1, 'rebase')).toEqual([405, 'Rebase merges are not allowed on this repository.'])
  await work.gitAll(['checkout', '--quiet', '-b', 'other', 'origin/main'])
  await work.commit({ 'README.md': 'Something else\n' })
  await work.push('HEAD:refs/heads/agent_ada/other', 'HEAD:refs/heads/agent_ada/draft')
  await asAda('POST', `${base}/pulls`, { ...pull, head: 'agent_ada/other' })
  await asAda('POST', `${base}/pulls`, { ...pull, head: 'agent_ada/draft', draft: true })
  expect(await merge(1, 'bogus')).toEqual([422, 'Invalid request.\n\nUnknown merge_method.'])
  expect(await merge(3)).toEqual([405, 'Pull Request is still a draft'])
  expect((await asAda('PATCH', `${base}/pulls/3`, { draft: false })).body).toMatchObject({
    draft: false,
    mergeable_state: 'clean',
  })
  // Who collaborates may merge, as everybody with push access at GitHub.
  await call('PUT', `${base}/collaborators/agent_bob`)
  const byBob = await asBob('PUT', `${base}/pulls/1/merge`, { merge_method: 'squash' })
  expect(byBob.status).toBe(200)
  expect((await call('GET', `${base}/pulls/1`)).body.merged_by.login).toBe('agent_bob')
  expect((await call('GET', `${base}/pulls/2`)).body).toMatchObject({
    mergeable: false,
    mergeable_state: 'dirty',
  })
  expect(await merge(2)).toEqual([405, 'Pull Request is not mergeable'])
  expect(await merge(1)).toEqual([405, 'Pull Request is not mergeable'])
  expect((await call('GET', `${base}/pulls?state=closed`)).body).toMatchObject([{ number: 1 }])
  expect((await call('GET', `${base}/pulls?head=acme:agent_ada/other`)).body).toMatchObject([{ number: 2 }])
})

describe('one pull request', () => {
  let host: Awaited<ReturnType<typeof startWithPull>>
  beforeAll(async () => {
    host = await startWithPull(afterFile)
  })

  test('a pull request is edited by its author and by collaborators, who may also check its commits', async () => {
    const { asAda, asBob, call, sha, deliveries } = host
    const checks = { name: 'tests', head_sha: sha, status: 'in_progress' }
    const edit = { title: 'Add two wings', body: 'Both' }
    expect((await asAda('PATCH', `${base}/pulls/1`, edit)).body).toMatchObject(edit)
    for (const [method, path, body] of [
      ['PATCH', `${base}/pulls/1`, { state: 'closed' }],
      ['POST', `${base}/check-runs`, checks],
      ['POST', `${base}/statuses/${sha}`, { state: 'success' }],
      ['PUT', `${base}/collaborators/agent_bob`, undefined],
    ] as const)
      expect([path, (await asBob(method, path, body).catch((error) => error)).status]).toEqual([path, 403])
    expect((await call('PUT', `${base}/collaborators/agent_bob`)).status).toBe(204)
    expect((await call('GET', `${base}/commits/${sha}/status`)).body).toMatchObject({
      state: 'pending',
      total_count: 0,
    })
    const run = await asBob('POST', `${base}/check-runs`, checks)
    expect(run.body).toMatchObject({ head_sha: sha, status: 'in_progress', conclusion: null })
    const done = { status: 'completed', conclusion: 'failure', output: { title: 'T', summary: 'S' } }
    expect((await asBob('PATCH', `${base}/check-runs/${run.body.id}`, done)).body).toMatchObject(done)
    expect((await call('GET', `${base}/commits/${sha}/check-runs`)).body).toMatchObject({
      total_count: 1,
      check_runs: [{ id: run.body.id, conclusion: 'failure' }],
    })
    await asBob('POST', `${base}/statuses/${sha}`, { state: 'pending', context: 'ci' })
    await asBob('POST', `${base}/statuses/${sha}`, { state: 'success', context: 'ci', description: 'ok' })
    expect((await call('GET', `${base}/commits/agent_ada%2Fwings/status`)).body).toMatchObject({
      state: 'success',
      sha,
      statuses: [{ context: 'ci', state: 'success' }],
    })
    expect((await call('GET', `${base}/commits/${sha}/statuses`)).body).toMatchObject([
      { context: 'ci', state: 'success', creator: { login: 'agent_bob' } },
      { context: 'ci', state: 'pending', creator: { login: 'agent_bob' } },
    ])
    const events = `${base}/issues/1/events`
    expect((await call('GET', events)).body).toEqual([])
    expect((await asBob('PATCH', `${base}/pulls/1`, { state: 'closed' })).body.state).toBe('closed')
    expect((await asBob('PATCH', `${base}/pulls/1`, { state: 'open' })).body.state).toBe('open')
    expect((await call('GET', events)).body).toMatchObject([{ id: 2, event: 'reopened' }])
    await until(() => deliveries.length >= 9)
    expect(deliveries.map(({ event, text }) => `${event} ${JSON.parse(text).action}`).sort()).toEqual([
      'check_run completed',
      'check_run created',
      'pull_request closed',
      'pull_request edited',
      'pull_request opened',
      'pull_request reopened',
      'push undefined',
      'status undefined',
      'status undefined',
    ])
    expect((await call('DELETE', `${base}/collaborators/agent_bob`)).status).toBe(204)
    expect((await asBob('PATCH', `${base}/pulls/1`, { state: 'closed' })).status).toBe(403)
  })

  test('304 for a read that the client has, until something changes', async () => {
    const { call, asAda, apiUrl } = host
    const tag = (await call('GET', `${base}/pulls/1`)).headers.get('etag') ?? ''
    const again = () =>
      fetch(`${apiUrl}${base}/pulls/1`, {
        headers: { authorization: `Bearer ${platformToken}`, 'if-none-match': tag },
      })
    expect([(await again()).status, await (await again()).text()]).toEqual([304, ''])
    await asAda('PATCH', `${base}/pulls/1`, { title: 'Other' })
    expect((await again()).status).toBe(200)
  })

  test('POST .../pulls: 422 without such a branch, without commits, for a branch of another agent, and twice', async () => {
    const { asAda, asBob, work } = host
    await work.gitAll(['checkout', '--quiet', 'origin/main'])
    await work.push('HEAD:refs/heads/agent_ada/same')
    const refused = async (as: typeof asAda, fields: object) => {
      const { status, body } = await as('POST', `${base}/pulls`, { ...pull, ...fields })
      return [status, body.errors?.[0].message ?? body.message]
    }
    const ownOnly = 'you open pull requests from branches below agent_bob/ only'
    expect(await refused(asAda, { head: 'agent_ada/none' })).toEqual([
      422,
      'there is no branch agent_ada/none',
    ])
    expect(await refused(asBob, {})).toEqual([422, ownOnly])
    expect(await refused(asAda, { head: 'agent_ada/same' })).toEqual([
      422,
      'No commits between main and agent_ada/same',
    ])
    for (const head of [pull.head, `ACME:${pull.head}`])
      expect(await refused(asAda, { head })).toEqual([
        422,
        'A pull request already exists for acme:agent_ada/wings.',
      ])
    const tooLong = 'Validation Failed: body is too long (maximum is 65536 characters)'
    expect(await refused(asAda, { body: 'x'.repeat(65_537) })).toEqual([422, tooLong])
    // Nor is there a second one when the first is opened again.
    await asAda('PATCH', `${base}/pulls/1`, { state: 'closed' })
    expect((await asAda('POST', `${base}/pulls`, pull)).body.number).toBe(2)
    expect((await asAda('PATCH', `${base}/pulls/1`, { state: 'open' })).status).toBe(422)
    await asAda('PATCH', `${base}/pulls/2`, { state: 'closed' })
    expect((await asAda('PATCH', `${base}/pulls/1`, { state: 'open' })).status).toBe(200)
  })
})

test('files of a repository are in git', async () => {
  const { call, address } = await startWithGit()
  const path = '.github/pull_request_template.md'
  const content = Buffer.from('Bounty: \0\xff').toString('base64')
  const put = await call('PUT', `${base}/contents/README.md`, { message: 'm', content, sha: 'a'.repeat(40) })
  expect(put.status).toBe(409)
  for (const bad of ['../x', '.git/config', 'a/../../b'])
    expect(
      (await call('PUT', `${base}/contents/${encodeURIComponent(bad)}`, { message: 'm', content })).status,
    ).toBe(422)
  const work = await clone(address)
  expect(await work.gitAll(['log', '--format=%s'])).toBe('Initial commit')
  const added = await call('PUT', `${base}/contents/${encodeURIComponent(path)}`, {
    message: 'Add a template',
    content,
  })
  expect(added.status).toBe(201)
  expect((await call('GET', `${base}/contents/${encodeURIComponent(path)}`)).body.content.trim()).toBe(
    content,
  )
  expect((await call('GET', `${base}/contents/a%00b`)).status).toBe(404)
  await work.gitAll(['pull', '--quiet'])
  expect(await work.gitAll(['rev-parse', `HEAD:${path}`])).toBe(added.body.content.sha)
})

describe('POST /token', () => {
  test('201 for an API key, 401 in the words of the marketplace, 503 while it is not there', async () => {
    const { webUrl, call, directory, marketplace, stop } = await startWithGit()
    const { status, body } = await requestToken(webUrl, 'key-ada')
    expect([status, body.login]).toEqual([201, 'agent_ada'])
    expect((await requestToken(webUrl, 'bmt_work_ada')).status).toBe(201)
    expect((await requestToken(webUrl, 'bmt_read_ada')).status).toBe(403)
    const hours = (Date.parse(body.expires_at ?? '') - Date.now()) / 3_600_000
    expect(Math.round(hours * 10)).toBe(10)
    expect(
      (await call('GET', '/user', undefined, { authorization: `Bearer ${body.token}` })).body.login,
    ).toBe('agent_ada')
    const { id } = (await call('GET', '/users/agent_ada')).body
    expect((await call('GET', `/user/${id}`)).body.login).toBe('agent_ada')
    const permission = async () => (await call('GET', `${base}/collaborators/agent_ada/permission`)).body
    expect((await permission()).permission).toBe('read')
    await call('PUT', `${base}/collaborators/agent_ada`)
    expect((await permission()).permission).toBe('write')
    expect((await call('GET', '/users/agent_eve')).status).toBe(404)
    expect(await requestToken(webUrl, 'wrong')).toMatchObject({
      status: 401,
      body: { message: 'The API key is unknown.' },
    })
    await stop()
    const path = join(directory, 'token-secret')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const second = await start({ directory, git: true, token: platformToken })
    expect((await requestToken(second.webUrl, 'key-ada')).status).toBe(503)
    // A token from before the restart is valid; one whose time is over is not.
    const user = (token = '') => second.call('GET', '/user', undefined, { authorization: `Bearer ${token}` })
    const headers = { authorization: `Bearer ${body.token}` }
    expect((await fetch(`${second.apiUrl}/user`, { headers })).status).toBe(503)
    second.connectTo(marketplace.url)
    expect((await user(body.token)).status).toBe(200)
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
    const { token: expired } = (await openTokens(directory)).issue('key-ada')
    clock.mockRestore()
    expect((await user(expired)).status).toBe(401)
    const { token: forged } = (await openTokens(await temporaryDirectory())).issue('key-ada')
    for (const wrong of [forged, body.token?.slice(0, -4), 'ghu_', 'ghu_eA.eA'])
      expect((await user(wrong)).status).toBe(401)
  })

  test('a token ends with the API key or access token that it was made for', async () => {
    const { webUrl, address, call, ada, marketplace } = await startWithGit()
    const { token = '' } = (await requestToken(webUrl, 'bmt_work_ada')).body
    const work = await clone(address, token)
    await work.commit({ 'a.txt': 'a' })
    expect((await work.push('HEAD:refs/heads/agent_ada/x')).code).toBe(0)
    marketplace.end('bmt_work_ada')
    expect((await work.push('HEAD:refs/heads/agent_ada/y')).output).toContain('Authentication failed')
    const user = (by: string) => call('GET', '/user', undefined, { authorization: `Bearer ${by}` })
    expect([(await user(token)).status, (await user(ada)).status]).toEqual([401, 200])
  })
})
