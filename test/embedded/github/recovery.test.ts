/** @module-tag git */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTokens } from '../../../server/embedded/github/tokens.ts'
import { isAlive } from '../../../server/embedded/processes.ts'
import { until } from '../../support/until.ts'
import { runService, temporaryDirectory } from '../support.ts'
import { clone, gitAll, platformToken, startMarketplace, startWithGate, startWithGit } from './git-client.ts'
import { halfPush, leftovers, pushHead, sendRaw } from './raw-git.ts'
import { caller, newRepository, start } from './support.ts'

const base = '/repos/acme/rocket'
const squash = { merge_method: 'squash' }

test('a merge is told apart from its intent, and a push that nobody noticed is noticed, at the next start', async () => {
  const host = await startWithGit()
  const work = await clone(host.address, host.ada)
  const names = ['one', 'two', 'three']
  const refspecs: string[] = []
  for (const name of names) {
    await work.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
    refspecs.push(`${await work.commit({ [name]: name })}:refs/heads/agent_ada/${name}`)
  }
  await work.push(...refspecs)
  for (const name of names)
    await host.asAda('POST', `${base}/pulls`, { title: name, head: `agent_ada/${name}`, base: 'main' })
  const bare = join(host.directory, 'repositories/1.git')
  const before = await gitAll(bare, ['rev-parse', 'main'])
  const first = (await host.call('PUT', `${base}/pulls/1/merge`, squash)).body.sha
  await host.call('PUT', `${base}/pulls/2/merge`, squash)
  await host.stop()
  // As if the process had ended before it recorded either merge, and before the second one moved main.
  const journal = join(host.directory, 'journal.jsonl')
  const lines = (await readFile(journal, 'utf8')).trim().split('\n')
  const kept = lines.filter((line) => JSON.parse(line).change?.mergedAt == null)
  expect(lines.length - kept.length).toBe(2)
  await writeFile(journal, `${kept.join('\n')}\n`)
  const moved = await work.gitAll(['rev-parse', 'HEAD~0'])
  await gitAll(
    bare,
    ['update-ref', 'refs/heads/main', first],
    ['update-ref', 'refs/heads/agent_ada/two', 'refs/pull/2/head'],
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

test('a pull request whose merge was not written down is merged when somebody closes it', async () => {
  const host = await startWithGit()
  const work = await clone(host.address, host.ada)
  await work.commit({ new: 'x' })
  await work.push('HEAD:refs/heads/agent_ada/new')
  await host.asAda('POST', `${base}/pulls`, { title: 'New', head: 'agent_ada/new', base: 'main' })
  const bare = join(host.directory, 'repositories/1.git')
  const lock = join(bare, 'refs/heads/main.lock')
  await writeFile(lock, '')
  const merging = await fetch(`${host.apiUrl}${base}/pulls/1/merge`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${platformToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(squash),
  })
  expect(merging.status).toBe(500)
  await rm(lock)
  const lines = (await readFile(join(host.directory, 'journal.jsonl'), 'utf8')).trim().split('\n')
  const intended = lines.flatMap((line) => JSON.parse(line).change?.merge?.sha ?? []).at(-1)
  await gitAll(bare, ['update-ref', 'refs/heads/main', intended])
  const closed = await host.asAda('PATCH', `${base}/pulls/1`, { state: 'closed' })
  expect(closed.body).toMatchObject({ state: 'closed', merged: true, merge_commit_sha: intended })
})

test('a kill during a push and a merge loses nothing acknowledged, and of the unfinished push nothing stays', async () => {
  const directory = await temporaryDirectory()
  const { token } = (await openTokens(directory)).issue('key-ada')
  const { url: marketplaceUrl } = await startMarketplace()
  const options = { directory, port: 0, organization: 'acme', token: platformToken, marketplaceUrl }
  const host = await runService<{ apiUrl: string; webUrl: string }>('github', options)
  const call = caller(host.value.apiUrl, platformToken)
  await call('POST', '/orgs/acme/repos', newRepository)
  const address = `${host.value.webUrl}/acme/rocket.git`
  const work = await clone(address, token)
  const shas: string[] = []
  for (const name of ['b1', 'b2']) {
    await work.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
    shas.push(await work.commit({ [name]: 'x' }))
  }
  const pushed = await work.push(...shas.map((sha, index) => `${sha}:refs/heads/agent_ada/b${index + 1}`))
  expect(pushed.code).toBe(0)
  for (const n of [1, 2])
    await call('POST', `${base}/pulls`, { title: 't', head: `agent_ada/b${n}`, base: 'main' })
  const merged = await call('PUT', `${base}/pulls/1/merge`, squash)
  expect(merged.status).toBe(200)
  const unfinished = sendRaw(host.value.webUrl, `${pushHead(token, 100_000)}${halfPush}`)
  const bare = join(directory, 'repositories/1.git')
  const received = () => readdir(join(directory, 'received'))
  await until(async () => (await received()).length === 1)
  const unacknowledged = call('PUT', `${base}/pulls/2/merge`, squash).catch(() => undefined)
  await host.kill()
  expect(await unfinished).not.toContain('ok ')
  const second = await unacknowledged

  const next = await start({ directory, git: true, token: platformToken })
  next.connectTo(marketplaceUrl)
  expect([await leftovers(directory), await received()]).toEqual([[], []])
  const main = await gitAll(bare, ['rev-list', 'main'])
  expect(main).toContain(merged.body.sha)
  const pulls = (await next.call('GET', `${base}/pulls?state=all`)).body as { merged_at: string | null }[]
  const mergedPulls = pulls.filter(({ merged_at }) => merged_at !== null).length
  if (second?.status === 200) expect(mergedPulls).toBe(2)
  expect(main.split('\n')).toHaveLength(1 + mergedPulls)
  const refs = (below: string) => gitAll(bare, ['for-each-ref', '--format=%(objectname) %(refname)', below])
  expect(await refs('refs/pull')).toBe(
    shas.map((sha, index) => `${sha} refs/pull/${index + 1}/head`).join('\n'),
  )
  // A merge deletes the branch, be it one that was recorded only now.
  expect(await refs('refs/heads/agent_ada')).toBe(
    mergedPulls === 2 ? '' : `${shas[1]} refs/heads/agent_ada/b2`,
  )
  expect((await work.push(`${shas[0]}:refs/heads/agent_ada/half`)).code).toBe(0)
  await gitAll(bare, ['fsck', '--strict'])
})

test('git that is at work when the service exits ends with it', async () => {
  const { called, close } = await startWithGate("'init '*", '$$')
  const options = {
    directory: await temporaryDirectory(),
    port: 0,
    organization: 'acme',
    token: platformToken,
  }
  const { value, process: service } = await runService<{ apiUrl: string }>('github', options)
  const call = caller(value.apiUrl, platformToken)
  await call('POST', '/orgs/acme/repos', newRepository)
  await close()
  void call('GET', `${base}/commits/main`).catch(() => undefined) // the first look makes the repository
  await until(async () => (await called()).length === 1)
  const [pid] = (await called()).map(Number)
  expect(await isAlive(pid!)).toBe(true)
  service.kill('SIGTERM')
  await until(async () => !(await isAlive(pid!)))
})

test('pull requests from before there was git stay open, and without git their code is not hidden', async () => {
  const before = await start({ strict: true, token: platformToken })
  await before.call('POST', '/orgs/acme/repos', newRepository)
  await before.call('POST', '/orgs/acme/repos', { name: 'empty' })
  const fields = { title: 't', head: 'feature', base: 'main' }
  for (const name of ['rocket', 'empty']) await before.call('POST', `/repos/acme/${name}/pulls`, fields)
  await before.stop()
  const { directory } = before
  const withGit = await start({ directory, git: true, token: platformToken })
  for (const path of [base, '/repos/acme/empty']) {
    expect((await withGit.call('GET', `${path}/pulls`)).body).toMatchObject([{ number: 1, state: 'open' }])
    expect((await withGit.call('GET', `${path}/pulls/1`)).body).toMatchObject({ state: 'open' })
    expect((await withGit.call('GET', `${path}/pulls/1/files`)).body).toEqual([])
    expect((await withGit.call('PUT', `${path}/pulls/1/merge`, squash)).status).toBe(405)
  }
  await withGit.stop()
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', directory)
  await expect(start({ directory, git: true })).rejects.toThrow(
    `The repositories of the code host in ${directory} need git: git is not installed`,
  )
})
