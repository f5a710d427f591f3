import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runService, temporaryDirectory } from '../support.ts'
import { clone, gitAll, platformToken, requestToken, startMarketplace, startWithGit } from './git-client.ts'
import { caller, newRepository, start } from './support.ts'

const base = '/repos/acme/rocket'
const squash = { merge_method: 'squash' }

test('a merge is told apart from its intent, and a push that nobody noticed is noticed, at the next start', async () => {
  const host = await startWithGit()
  const work = await clone(host.address, host.ada)
  for (const name of ['one', 'two', 'three']) {
    await work.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
    await work.commit({ [name]: name })
    await work.push(`HEAD:refs/heads/agent_ada/${name}`)
    await host.asAda('POST', `${base}/pulls`, { title: name, head: `agent_ada/${name}`, base: 'main' })
  }
  const bare = join(host.directory, 'repositories/1.git')
  const before = await gitAll(bare, ['rev-parse', 'main'])
  const first = (await host.call('PUT', `${base}/pulls/1/merge`, squash)).body.sha
  await host.call('PUT', `${base}/pulls/2/merge`, squash)
  await host.stop()
  // As if the process had ended before it recorded either merge, and before the second one moved main.
  const journal = join(host.directory, 'journal.jsonl')
  const lines = (await readFile(journal, 'utf8')).trim().split('\n')
  const kept = lines.filter((line) => JSON.parse(line).pull?.mergedAt == null)
  expect(lines.length - kept.length).toBe(2)
  await writeFile(journal, `${kept.join('\n')}\n`)
  const moved = await work.gitAll(['rev-parse', 'HEAD~0'])
  await gitAll(
    bare,
    ['update-ref', 'refs/heads/main', first],
    ['update-ref', 'refs/heads/agent_ada/three', first],
  )
  await writeFile(join(bare, 'refs/heads/main.lock'), '')
  expect(before).not.toBe(first)

  const next = await start({ directory: host.directory, git: true, token: platformToken })
  const pull = async (number: number) => (await next.call('GET', `${base}/pulls/${number}`)).body
  expect(await pull(1)).toMatchObject({ state: 'closed', merged: true, merge_commit_sha: first })
  expect(await pull(2)).toMatchObject({
    state: 'open',
    merged: false,
    merge_commit_sha: null,
    mergeable: true,
  })
  expect((await pull(3)).head.sha).toBe(first)
  expect((await pull(3)).head.sha).not.toBe(moved)
  expect((await next.call('PUT', `${base}/pulls/2/merge`, squash)).status).toBe(200)
})

test('a kill during pushes and merges loses nothing that was acknowledged', async () => {
  const directory = await temporaryDirectory()
  const options = { directory, port: 0, organization: 'acme', token: platformToken }
  // The tokens come from a host on the same folder, whose secret stays.
  const first = await start({ directory, git: true, token: platformToken })
  const marketplace = await startMarketplace()
  first.connectTo(marketplace.url)
  const token = (await requestToken(first.webUrl, 'key-ada')).body.token ?? ''
  await first.call('POST', '/orgs/acme/repos', newRepository)
  const address = `${first.webUrl}/acme/rocket.git`
  const work = await clone(address, token)
  const shas: string[] = []
  for (let n = 1; n <= 6; n++) {
    await work.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
    shas.push(await work.commit({ [`file-${n}`]: 'x' }))
  }
  await work.push(...shas.slice(0, 3).map((sha, index) => `${sha}:refs/heads/agent_ada/b${index + 1}`))
  for (const n of [1, 2, 3])
    await first.call('POST', `${base}/pulls`, { title: 't', head: `agent_ada/b${n}`, base: 'main' })
  await first.stop()

  const killed = await runService<{ apiUrl: string }>('github', options)
  const call = caller(killed.value.apiUrl, platformToken)
  const merged: string[] = []
  const pushed: string[] = []
  const merges = (async () => {
    for (const n of [1, 2, 3]) {
      const { status, body } = await call('PUT', `${base}/pulls/${n}/merge`, squash)
      if (status === 200) merged.push(body.sha)
      if (n === 2) void killed.kill()
    }
  })().catch(() => undefined)
  const pushes = (async () => {
    for (const [index, sha] of shas.entries())
      if (index >= 3 && (await work.push(`${sha}:refs/heads/agent_ada/p${index}`)).code === 0)
        pushed.push(`p${index}`)
  })()
  await Promise.all([merges, pushes])
  expect(merged.length).toBeGreaterThanOrEqual(2)

  const second = await start({ directory, git: true, token: platformToken })
  const after = await clone(`${second.webUrl}/acme/rocket.git`)
  for (const sha of merged) await after.gitAll(['merge-base', '--is-ancestor', sha, 'origin/main'])
  for (const branch of pushed) await after.gitAll(['rev-parse', '--verify', `origin/agent_ada/${branch}`])
  const pulls = (await second.call('GET', `${base}/pulls?state=all`)).body as { merged_at: string | null }[]
  expect(await after.gitAll(['rev-list', '--count', 'origin/main'])).toBe(
    String(1 + pulls.filter(({ merged_at }) => merged_at !== null).length),
  )
  await gitAll(join(directory, 'repositories/1.git'), ['fsck', '--strict'])
})
