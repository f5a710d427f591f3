import { verify } from '@octokit/webhooks-methods'
import { describe, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { clone, git, startWithGit } from './git-client.ts'
import { descriptions } from './support.ts'

const base = '/repos/acme/rocket'
const pull = { title: 'Add wings', head: 'agent_ada/wings', base: 'main', body: 'For bnt_1' }

/** An open pull request of agent_ada: a changed README, and a new file. */
async function withPull() {
  const host = await startWithGit()
  const work = await clone(host.address, host.ada)
  const sha = await work.commit(
    { 'README.md': '# rocket\nFlies far\n', 'wings.txt': 'one\ntwo\n' },
    'Add wings',
  )
  expect(await work.push('HEAD:refs/heads/agent_ada/wings')).toMatchObject({ code: 0 })
  const opened = await host.asAda('POST', `${base}/pulls`, pull)
  expect(opened.status).toBe(201)
  return { ...host, work, sha, opened }
}

test('from clone to merge: what an agent pushes is on main as one commit', async () => {
  const { call, asAda, asBob, work, sha, opened, address, deliveries, webhookSecret, webUrl } =
    await withPull()
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
      patch: expect.stringContaining('+Flies far'),
    },
    {
      filename: 'wings.txt',
      status: 'added',
      additions: 2,
      deletions: 0,
      patch: '@@ -0,0 +1,2 @@\n+one\n+two',
    },
  ])
  expect((await asBob('GET', `${base}/pulls/1/commits`)).body).toMatchObject([
    { sha, commit: { message: 'Add wings', author: { name: 'Ada' } } },
  ])
  expect((await call('GET', `${base}/commits/${sha}`)).body).toMatchObject({ sha, stats: { total: 4 } })
  const diff = await (await fetch(`${webUrl}/acme/rocket/pull/1.diff`)).text()
  expect(diff).toBe(await work.gitAll(['diff', 'origin/main', 'HEAD']).then((text) => `${text}\n`))
  expect(await (await fetch(`${webUrl}/acme/rocket/pull/1`)).text()).toContain('+Flies far')

  const next = await work.commit({ 'more.txt': 'x' })
  await work.push('HEAD:refs/heads/agent_ada/wings')
  expect((await call('GET', `${base}/pulls/1`)).body).toMatchObject({ head: { sha: next }, commits: 2 })
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
  // The merged commit stays, even when its branch is deleted.
  expect(await work.push(':refs/heads/agent_ada/wings')).toMatchObject({ code: 0 })
  expect((await after.git('fetch', address, 'refs/pull/1/head')).code).toBe(0)

  await until(() => deliveries.length >= 3)
  const bodies = deliveries.map(({ text }) => JSON.parse(text))
  expect(bodies.map(({ action, pull_request }) => [action, pull_request.head.sha])).toEqual(
    expect.arrayContaining([
      ['opened', sha],
      ['synchronize', next],
      ['closed', next],
    ]),
  )
  for (const { text, headers } of deliveries)
    expect(await verify(webhookSecret, text, String(headers['x-hub-signature-256']))).toBe(true)
})

describe('a push is refused', () => {
  test('without a token, and with a forged one', async () => {
    const { address } = await startWithGit()
    const work = await clone(address)
    expect((await work.push('HEAD:refs/heads/agent_ada/x')).output).toContain('could not read Username')
    const forged = await git(work.directory, ['push', address, 'HEAD:refs/heads/agent_ada/x'], 'ghu_eA.eA')
    expect(forged.output).toContain('Authentication failed')
  })

  test.each([
    ['main', 'HEAD:refs/heads/main', 'GH006: Protected branch update failed for refs/heads/main.'],
    [
      "another agent's branch",
      'HEAD:refs/heads/agent_bob/x',
      'you may push below refs/heads/agent_ada/ only',
    ],
    [
      'a name that begins like it',
      'HEAD:refs/heads/agent_ada2/x',
      'you may push below refs/heads/agent_ada/ only',
    ],
    ['the folder itself', 'HEAD:refs/heads/agent_ada', 'you may push below refs/heads/agent_ada/ only'],
    ['a tag', 'HEAD:refs/tags/v1', 'you may push below refs/heads/agent_ada/ only'],
    ['a pull request', 'HEAD:refs/pull/1/head', 'deny updating a hidden ref'],
    ['main, deleted', ':refs/heads/main', 'GH006'],
  ])('%s', async (_, refspec, message) => {
    const { address, ada } = await startWithGit()
    const work = await clone(address, ada)
    await work.commit({ 'a.txt': 'a' })
    const { code, output } = await work.push(refspec)
    expect([code, output]).toEqual([1, expect.stringContaining(message)])
    expect((await work.gitAll(['ls-remote', address])).split('\n')).toHaveLength(2)
  })
})
