/** @module-tag git */
import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMarketplace } from '../../../server/embedded/github/marketplace.ts'
import { until } from '../../support/until.ts'
import { clone, keys, platformToken, requestToken, startMarketplace, startWithGit } from './git-client.ts'
import { commitOfNobody, leftovers, makePack, mib, nothing, packOfDeltas, push, pushBody } from './raw-git.ts'
import { newRepository, start } from './support.ts'

test('a full repository takes no push, says why, and has room again when branches are deleted', async () => {
  const limits = { repository: 2 * mib }
  const { address, ada, directory } = await startWithGit({ limits })
  const work = await clone(address, ada)
  const pushed = async (name: string) => {
    await work.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
    await work.commit({ [name]: randomBytes(1.2 * mib) })
    return work.push(`HEAD:refs/heads/agent_ada/${name}`)
  }
  expect((await pushed('one')).code).toBe(0)
  const { code, output } = await pushed('two')
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/remote: error: The repository would have \d MB; it may have 2 MB/),
  ])
  expect(output).toContain('pre-receive hook declined')
  expect((await work.push(':refs/heads/agent_ada/one')).code).toBe(0)
  expect((await pushed('two')).code).toBe(0)
  expect(await leftovers(directory)).toEqual([])
})

test('what pushes by force have replaced takes no room from others', async () => {
  const { address, ada, bob } = await startWithGit({ limits: { repository: 3 * mib, push: 2 * mib } })
  const work = await clone(address, ada)
  const pushed = async (from = work, ref = 'agent_ada/one') => {
    await from.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
    await from.commit({ one: randomBytes(1.2 * mib) })
    return (await from.push(`+HEAD:refs/heads/${ref}`)).code
  }
  for (let count = 0; count < 4; count++) expect(await pushed()).toBe(0)
  expect(await pushed(await clone(address, bob), 'agent_bob/one')).toBe(0)
})

test('a push that is unpacked for long ends once another account waits, and its account pauses', async () => {
  const host = await startWithGit({ limits: { promptMs: 500, pauseMs: 3_600_000 } })
  const work = await clone(host.address, host.bob)
  await work.commit({ new: 'x' })
  const body = pushBody('refs/heads/agent_ada/slow', commitOfNobody, packOfDeltas(5000))
  const slow = push(host, body)
    .then((reply) => reply.text())
    .catch(() => 'cut off')
  await until(async () => (await leftovers(host.directory)).length > 0)
  expect(await work.push('HEAD:refs/heads/agent_bob/new')).toMatchObject({ code: 0 })
  expect(await slow).toBe('cut off')
  await until(async () => (await leftovers(host.directory)).length === 0)
  const again = await push(host, pushBody('refs/heads/agent_ada/next', nothing, makePack([])))
  expect([again.status, again.headers.get('retry-after')]).toEqual([
    429,
    expect.stringMatching(/^3[56]\d\d$/),
  ])
  const asked = await (await clone(host.address, host.ada)).push('HEAD:refs/heads/agent_ada/next')
  expect(asked).toMatchObject({ code: 128, output: expect.stringMatching(/Push again in 3[56]\d\d seconds/) })
})

test('an account keeps as many bytes in a repository as it may, also by pull requests that it has closed; another one still pushes', async () => {
  const { address, ada, bob, asAda, call } = await startWithGit({ limits: { account: 2 * mib } })
  const work = await clone(address, ada)
  const pushed = async (name: string, from = work, agent = 'agent_ada') => {
    await from.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
    await from.commit({ [name]: randomBytes(1.2 * mib) })
    return from.push(`HEAD:refs/heads/${agent}/${name}`)
  }
  expect((await pushed('one')).code).toBe(0)
  const refused = {
    code: 1,
    output: expect.stringMatching(/branches and pull requests would keep 2 MB in this .* they may keep 2 MB/),
  }
  expect(await pushed('two')).toMatchObject(refused)
  expect((await work.push(':refs/heads/agent_ada/one')).code).toBe(0)
  expect((await pushed('two')).code).toBe(0)
  const tip = await work.gitAll(['rev-parse', 'HEAD'])
  const pulls = '/repos/acme/rocket/pulls'
  const opened = await asAda('POST', pulls, { title: 'Work', head: 'agent_ada/two', base: 'main' })
  const pull = `${pulls}/${opened.body.number}`
  await asAda('PATCH', pull, { state: 'closed' })
  expect((await work.push(':refs/heads/agent_ada/two')).code).toBe(0)
  expect(await pushed('three')).toMatchObject(refused)
  expect((await pushed('four', await clone(address, bob), 'agent_bob')).code).toBe(0)
  expect((await work.push(`${tip}:refs/heads/agent_ada/two`)).code).toBe(0)
  await asAda('PATCH', pull, { state: 'open' })
  expect((await call('PUT', `${pull}/merge`, { merge_method: 'squash' })).status).toBe(200)
  expect((await pushed('three')).code).toBe(0)
})

test('more branches, longer names, more files and more commits than an agent needs are refused; deletions are not', async () => {
  const { address, ada } = await startWithGit({
    limits: {
      updates: 3,
      branches: 2,
      refName: 40,
      entries: 50,
      commits: 3,
      history: 1200,
      message: 1000,
    },
  })
  const work = await clone(address, ada)
  await work.commit({ one: '1' })
  const push = (ref: string) => work.push(ref)
  expect(
    await work.push(
      'HEAD:refs/heads/agent_ada/a',
      'HEAD:refs/heads/agent_ada/b',
      'HEAD:refs/heads/agent_ada/c',
      'HEAD:refs/heads/agent_ada/d',
    ),
  ).toMatchObject({ code: 1, output: expect.stringMatching(/A push may update 3 branches/) })
  const refused = async (ref: string, why: RegExp) =>
    expect(await push(ref)).toMatchObject({ code: 1, output: expect.stringMatching(why) })
  for (const name of ['a', 'b']) expect((await push(`HEAD:refs/heads/agent_ada/${name}`)).code).toBe(0)
  await refused('HEAD:refs/heads/agent_ada/c', /You may have 2 branches/)
  expect((await push(':refs/heads/agent_ada/a')).code).toBe(0)
  await refused(`HEAD:refs/heads/agent_ada/${'c'.repeat(40)}`, /at most 40 characters/)
  await work.commit(Object.fromEntries(Array.from({ length: 51 }, (_, count) => [`f${count}`, 'x'])))
  await refused('HEAD:refs/heads/agent_ada/b', /has more than 50 files and folders/)
  await work.git('reset', '--quiet', '--hard', 'HEAD~1')
  for (const one of ['2', '3']) await work.commit({ one })
  expect((await push('HEAD:refs/heads/agent_ada/b')).code).toBe(0)
  await work.commit({ one: '4' })
  await refused('HEAD:refs/heads/agent_ada/b', /has more than 3 commits that main does not have/)
  await work.git('reset', '--quiet', '--hard', 'HEAD~1')
  await work.gitAll(['commit', '--quiet', '--amend', '-m', 'x'.repeat(2000)])
  await refused(
    '+HEAD:refs/heads/agent_ada/b',
    /message of commit \w{40} is too long: a commit has at most 1000/,
  )
  await work.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
  for (const two of ['1', '2']) await work.commit({ two })
  await refused(
    'HEAD:refs/heads/agent_ada/d',
    /Your branches and pull requests would have a history of \d+ bytes; they may have 1200/,
  )
})

test('git walks what a push has brought by the commit graph, also after another push has removed branches', async () => {
  const { address, ada, directory } = await startWithGit()
  const work = await clone(address, ada)
  const [folder = ''] = await readdir(join(directory, 'repositories'))
  const objects = join(directory, 'repositories', folder, 'objects')
  const isInGraph = async (sha: string) => {
    const files = await readdir(join(objects, 'info'), { recursive: true })
    const graphs = files.filter((name) => /(^|\.|-)graph$/.test(name))
    // Git replaces them meanwhile.
    const read = (name: string) => readFile(join(objects, 'info', name)).catch(() => Buffer.alloc(0))
    const texts = await Promise.all(graphs.map(read))
    return texts.some((text) => text.includes(Buffer.from(sha, 'hex')))
  }
  const first = await work.commit({ one: '1' })
  expect((await work.push('HEAD:refs/heads/agent_ada/one')).code).toBe(0)
  expect(await isInGraph(first)).toBe(true)
  const second = await work.commit({ one: '2' })
  const moved = await work.push(':refs/heads/agent_ada/one', 'HEAD:refs/heads/agent_ada/two')
  expect(moved.code).toBe(0)
  await until(() => isInGraph(second))
})

test('an account writes as many bytes of checks as it may, in all repositories together; another one still does', async () => {
  const { address, ada, asAda, call, apiUrl } = await startWithGit({ limits: { written: 20_000 } })
  await call('POST', '/orgs/acme/repos', { ...newRepository, name: 'other' })
  const work = await clone(address, ada)
  await work.commit({ new: 'x' })
  await work.push('HEAD:refs/heads/agent_ada/new')
  const head_sha = await work.gitAll(['rev-parse', 'HEAD'])
  const text = 'x'.repeat(65_535)
  const check = { status: 'completed', conclusion: 'success', output: { title: 'x', summary: text, text } }
  const reports = async (repository = 'rocket', sha = head_sha) => {
    const reply = await fetch(`${apiUrl}/repos/acme/${repository}/check-runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platformToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...check, name: 'check', head_sha: sha }),
    })
    return reply.status
  }
  // Of each text a thousand characters are kept, and the last check may go beyond the limit.
  let taken = 0
  while (taken < 20 && (await reports()) === 201) taken++
  expect(taken).toBe(10)
  const { body: listed } = await call('GET', `/repos/acme/rocket/commits/${head_sha}/check-runs?filter=all`)
  expect(listed.check_runs.map(({ output }: { output: object }) => output)).toEqual(
    Array(10).fill({ title: 'x', summary: 'x'.repeat(1000), text: 'x'.repeat(1000) }),
  )
  const { body: main } = await call('GET', '/repos/acme/other/commits/main')
  const other = { ...check, name: 'check', head_sha: main.sha }
  expect(await reports('other', main.sha)).toBe(422)
  await call('PUT', '/repos/acme/other/collaborators/agent_ada', { permission: 'maintain' })
  expect((await asAda('POST', '/repos/acme/other/check-runs', other)).status).toBe(201)
})

test('an account writes about pull requests as many bytes as it may, and what others write counts for them', async () => {
  const host = await startWithGit({ limits: { written: 2 * mib } })
  const { address, ada, asAda, call, directory, stop } = host
  const work = await clone(address, ada)
  await work.commit({ new: 'x' })
  await work.push('HEAD:refs/heads/agent_ada/new', 'HEAD:refs/heads/agent_ada/b')
  const body = 'x'.repeat(65_000)
  const pull = { title: 'Work', head: 'agent_ada/new', base: 'main', body }
  const opened = await asAda('POST', '/repos/acme/rocket/pulls', pull)
  expect(opened.status).toBe(201)
  const path = `/repos/acme/rocket/pulls/${opened.body.number}`
  for (let index = 0; index < 31; index++)
    expect((await call('PATCH', path, { title: `Edit ${index}` })).status).toBe(200)
  const [listed] = (await call('GET', '/repos/acme/rocket/pulls')).body
  expect([listed.title, listed.body]).toEqual(['Edit 30', body.slice(0, 1000)])
  const edits = async () => (await asAda('PATCH', path, { body: `${taken}${body}` })).status
  let taken = 0
  while (taken < 100 && (await edits()) === 200) taken++
  // With the first one, each is written with its 65,000 bytes, and the last one may go beyond the limit.
  expect(taken).toBe(32)
  expect((await asAda('PATCH', path, { body: `${taken - 1}${body}`, title: 'Edit 30' })).status).toBe(200)
  expect((await asAda('PATCH', path, { title: 'Other' })).status).toBe(422)
  expect((await asAda('POST', '/repos/acme/rocket/pulls', { ...pull, head: 'agent_ada/b' })).status).toBe(422)
  // A state costs no room, and is written without the texts.
  const size = async () => (await stat(join(directory, 'journal.jsonl'))).size
  const before = await size()
  for (const state of ['closed', 'open', 'closed'])
    expect((await asAda('PATCH', path, { state })).body.state).toBe(state)
  expect((await size()) - before).toBeLessThan(1000)
  await stop()
  const next = await start({ directory, git: true, token: platformToken })
  const kept = { title: 'Edit 30', body: `${taken - 1}${body}`, state: 'closed' }
  expect((await next.call('GET', path)).body).toMatchObject(kept)
})

test('an account that reads too much within a minute is refused; others and the platform are not', async () => {
  const host = await startWithGit()
  const work = await clone(host.address, host.ada)
  const sha = await work.commit({ 'large.txt': 'a'.repeat(2 * mib), 'most.txt': 'a'.repeat(mib) })
  expect(await work.push('HEAD:refs/heads/agent_ada/large')).toMatchObject({ code: 0 })
  const contents = '/repos/acme/rocket/contents'
  const tooLarge = await host.asAda('GET', `${contents}/large.txt?ref=${sha}`)
  expect([tooLarge.status, tooLarge.body.errors[0].code]).toEqual([403, 'too_large'])

  const path = `${contents}/most.txt?ref=${sha}`
  const read = (token: string) =>
    fetch(`${host.apiUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const statuses = []
  while (statuses.at(-1) !== 429 && statuses.length < 50) statuses.push((await read(host.ada)).status)
  // 24 responses of 1.4 million characters.
  expect(statuses).toEqual([...Array(24).fill(200), 429])
  expect((await read(host.ada)).headers.get('retry-after')).toBe('60')
  expect((await read(host.bob)).status).toBe(200)
  expect((await read(platformToken)).status).toBe(200)
})

test('what is read from the pages without an account keeps nobody from git and tokens', async () => {
  const host = await startWithGit()
  const work = await clone(host.address, host.ada)
  const text = 'words and words\n'.repeat(60_000)
  await work.commit({ 'one.txt': text, 'two.txt': text, 'three.txt': text })
  expect(await work.push('HEAD:refs/heads/agent_ada/text')).toMatchObject({ code: 0 })
  const opened = { title: 'Text', head: 'agent_ada/text', base: 'main' }
  const { number } = (await host.asAda('POST', '/repos/acme/rocket/pulls', opened)).body
  const page = () => fetch(`${host.webUrl}/acme/rocket/pull/${number}.diff`)
  const statuses = []
  while (statuses.at(-1) !== 429 && statuses.length < 20) statuses.push((await page()).status)
  expect(statuses.at(-1)).toBe(429)
  expect((await requestToken(host.webUrl, 'key-bob')).status).toBe(201)
  expect((await clone(host.address)).directory).toBeTruthy()
})

test('requests that come at once with one key ask the marketplace once, and later ones again', async () => {
  const { url, asked } = await startMarketplace()
  const marketplace = createMarketplace('secret')
  marketplace.connectTo(url)
  const both = [keys, keys].flatMap(Object.keys).map((key) => marketplace.agentOf(key))
  expect(await Promise.all(both)).toEqual(['agent_ada', 'agent_bob', 'agent_ada', 'agent_bob'])
  expect(asked).toHaveLength(2)
  await marketplace.agentOf('key-ada')
  expect(asked).toHaveLength(3)
})

test('a 429 of the marketplace is one of the host, also for git', async () => {
  const host = await startWithGit()
  host.marketplace.limit()
  const refused = await fetch(`${host.apiUrl}/user`, { headers: { authorization: `Bearer ${host.ada}` } })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7'])
  expect(await refused.json()).toMatchObject({ message: 'Too many requests.' })
  const pushing = await push(host, pushBody('refs/heads/agent_ada/x', nothing, makePack([])))
  expect([pushing.status, pushing.headers.get('retry-after')]).toEqual([429, '7'])
})
