/** @module-tag git */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createGit, served } from '../../../server/embedded/github/git/run-git.ts'
import { until } from '../../support/until.ts'
import { base, clone, startWithGate } from './git-client.ts'
import { makePack, nothing, push, pushBody } from './raw-git.ts'

test('pushes of two accounts take turns, however many one has waiting; more than a few are refused', async () => {
  const host = await startWithGate('http-backend', '$PUSHER')
  await host.close()
  const { body: main } = await host.call('GET', `${base}/commits/main`)
  const send = (login: string, token: string) => async (_: unknown, index: number) => {
    const body = pushBody(`refs/heads/${login}/${index}`, main.sha, makePack([]))
    const response = await push({ ...host, ada: token }, body)
    return [response.status, response.headers.get('retry-after')] as const
  }
  const six = Array.from({ length: 6 })
  const sent = []
  for (const [login, token] of [
    ['agent_ada', host.ada],
    ['agent_bob', host.bob],
  ] as const) {
    const pushes = six.map(send(login, token))
    // One is refused once the others wait.
    expect(await Promise.race(pushes)).toEqual([503, '1'])
    sent.push(...pushes)
  }
  await until(async () => (await host.called()).length > 0)
  expect(await host.called()).toEqual(['agent_ada'])
  await host.open()
  const statuses = (await Promise.all(sent)).map(([status]) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(await host.called()).toEqual(Array(5).fill(['agent_ada', 'agent_bob']).flat())
})

test('an account has a few requests about pull requests waiting in a repository, and others keep their turn', async () => {
  const host = await startWithGate("'rev-list --count '*", 'count')
  for (const [login, token] of [
    ['agent_ada', host.ada],
    ['agent_bob', host.bob],
  ] as const) {
    const work = await clone(host.address, token)
    await work.commit({ [login]: 'x' })
    expect((await work.push(`HEAD:refs/heads/${login}/new`)).code).toBe(0)
  }
  await host.close()
  const opens = async (login: string, token: string) => {
    const response = await fetch(`${host.apiUrl}${base}/pulls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: login, head: `${login}/new`, base: 'main' }),
    })
    return { status: response.status, retry: response.headers.get('retry-after') }
  }
  const ofAda = Array.from({ length: 6 }, () => opens('agent_ada', host.ada))
  expect(await Promise.race(ofAda)).toEqual({ status: 429, retry: '1' })
  const ofBob = opens('agent_bob', host.bob)
  await host.open()
  expect((await ofBob).status).toBe(201)
  const statuses = (await Promise.all(ofAda)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 422, 422, 422, 422, 429])
})

/** A host with branches of two accounts whose comparisons wait, until git gives each up after seconds. */
async function startWithBranches(counts: { agent_ada: number; agent_bob: number }) {
  const host = await startWithGate("'diff '*", '$*')
  const heads: string[] = []
  for (const [login, token] of [
    ['agent_ada', host.ada],
    ['agent_bob', host.bob],
  ] as const) {
    const work = await clone(host.address, token)
    for (let number = 0; number < counts[login]; number++) {
      heads.push(await work.commit({ [login]: String(number) }))
      expect((await work.push(`HEAD:refs/heads/${login}/${number}`)).code).toBe(0)
    }
  }
  return { ...host, heads }
}

test('an account has a few comparisons waiting in a repository, and others keep their turn', async () => {
  const host = await startWithBranches({ agent_ada: 8, agent_bob: 1 })
  await host.close()
  const compare = (token: string, head: string) =>
    fetch(`${host.apiUrl}${base}/compare/main...${head}`, { headers: { authorization: `Bearer ${token}` } })
  const ofAda = Array.from({ length: 8 }, (_, number) => compare(host.ada, `agent_ada%2F${number}`))
  expect((await Promise.race(ofAda)).status).toBe(429)
  const ofBob = compare(host.bob, 'agent_bob%2F0')
  const headsCalled = async () =>
    (await host.called()).map((line) => host.heads.findIndex((head) => line.includes(head)))
  await until(async () => (await headsCalled()).includes(8))
  expect(new Set(await headsCalled()).size).toBeLessThanOrEqual(3)
  await host.open()
  expect((await ofBob).status).toBe(200)
  const statuses = (await Promise.all(ofAda)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
})

test('however many reads of one account wait, another pushes', async () => {
  const host = await startWithGate(
    "'for-each-ref '*|'rev-parse '*|'merge-base '*|'rev-list '*|'cat-file '*",
    '$PWD',
  )
  await host.call('POST', '/orgs/acme/repos', { name: 'other', auto_init: true })
  const bob = await clone(`${host.webUrl}/acme/other.git`, host.bob)
  await bob.commit({ bob: 'x' })
  const ada = await clone(host.address, host.ada)
  await ada.commit({ ada: 'x' })
  expect((await ada.push('HEAD:refs/heads/agent_ada/0')).code).toBe(0)
  await host.close()
  const reads = Array.from({ length: 20 }, () => host.asAda('GET', `${base}/compare/main...agent_ada%2F0`))
  await until(async () => (await host.called()).length > 0)
  const pushing = bob.push('HEAD:refs/heads/agent_bob/new')
  await until(async () => new Set(await host.called()).size === 2)
  await host.open()
  expect((await pushing).code).toBe(0)
  await Promise.all(reads)
})

test('what the platform reads of many pull requests of one account keeps no other account waiting', async () => {
  const host = await startWithBranches({ agent_ada: 4, agent_bob: 1 })
  const open = async (as: typeof host.asAda, head: string) =>
    (await as('POST', `${base}/pulls`, { title: head, head, base: 'main' })).body.number
  const ofAda = [0, 1, 2, 3].map((number) => () => open(host.asAda, `agent_ada/${number}`))
  const numbers = []
  for (const opens of ofAda) numbers.push(await opens())
  numbers.push(await open(host.asBob, 'agent_bob/0'))
  // What is remembered of their comparisons is of other commits from now on.
  await host.close()
  for (const [login, token] of [
    ['agent_ada', host.ada],
    ['agent_bob', host.bob],
  ] as const) {
    const work = await clone(host.address, token)
    for (const number of login === 'agent_ada' ? [0, 1, 2, 3] : [0]) {
      host.heads.push(await work.commit({ [`${login}.txt`]: `more ${number}` }))
      expect((await work.push(`+HEAD:refs/heads/${login}/${number}`)).code).toBe(0)
    }
  }
  const last = host.heads.at(-1) ?? ''
  const ofBob = async () => (await host.called()).filter((line) => line.includes(last)).length
  // The host makes one itself, to report the push.
  await until(async () => (await ofBob()) === 1)
  const reads = numbers.map((number) => host.call('GET', `${base}/pulls/${number}`))
  await until(async () => (await ofBob()) === 2)
  await host.open()
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})

test('what the platform compares of many branches of one account keeps no other account waiting', async () => {
  const host = await startWithBranches({ agent_ada: 4, agent_bob: 1 })
  await host.close()
  const reads = host.heads.map((head) => host.call('GET', `${base}/compare/main...${head}`))
  const compared = async () => {
    const called = await host.called()
    return host.heads.filter((head) => called.some((line) => line.includes(head)))
  }
  await until(async () => (await compared()).includes(host.heads.at(-1) ?? ''))
  expect((await compared()).length).toBeLessThanOrEqual(3)
  await host.open()
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})

test('a merge that git does not finish is tried once, and counts as a conflict', async () => {
  const host = await startWithGate("'merge-tree '*", 'try')
  const work = await clone(host.address, host.ada)
  await work.commit({ ada: 'x' })
  expect((await work.push('HEAD:refs/heads/agent_ada/new')).code).toBe(0)
  await host.close()
  expect(
    (await host.asAda('POST', `${base}/pulls`, { title: 'New', head: 'agent_ada/new', base: 'main' })).status,
  ).toBe(201)
  const read = async () => (await host.call('GET', `${base}/pulls/1`)).body.mergeable
  await until(async () => (await read()) === false)
  const tries = (await host.called()).length
  expect(await read()).toBe(false)
  expect(await host.called()).toHaveLength(tries)
})

test('a pull request is shown while its changes are compared for long: what is not known yet is not said', async () => {
  const host = await startWithGate("'diff '*|'merge-tree '*", 'try')
  const work = await clone(host.address, host.ada)
  await work.commit({ ada: 'x\ny\n', more: 'z' })
  expect((await work.push('HEAD:refs/heads/agent_ada/new')).code).toBe(0)
  await host.close()
  const pull = { title: 'New', head: 'agent_ada/new', base: 'main' }
  const opened = await host.asAda('POST', `${base}/pulls`, pull)
  const known = { mergeable: null, additions: 0, changed_files: 1 }
  expect([opened.status, opened.body]).toMatchObject([201, known])
  await host.open()
  // What git did not finish in time stays unknown for minutes, but not of another commit.
  await work.commit({ last: 'x' })
  expect((await work.push('HEAD:refs/heads/agent_ada/new')).code).toBe(0)
  await until(async () => {
    const { mergeable, changed_files } = (await host.call('GET', `${base}/pulls/1`)).body
    return mergeable === true && changed_files === 3
  })
})

test('merges of one account in many repositories that git does not finish keep no other account from its push', async () => {
  const host = await startWithGate("'merge-tree '*", 'try')
  const names = ['rocket', 'one', 'two', 'three']
  for (const name of names.slice(1)) await host.call('POST', '/orgs/acme/repos', { name, auto_init: true })
  await host.close()
  const opening = names.map(async (name) => {
    const work = await clone(`${host.webUrl}/acme/${name}.git`, host.ada)
    await work.commit({ ada: 'x' })
    expect((await work.push('HEAD:refs/heads/agent_ada/new')).code).toBe(0)
    const merge = { base: 'main', head: 'agent_ada/new' }
    return host.call('POST', `/repos/acme/${name}/merges`, merge).then(({ status }) => status)
  })
  await until(async () => (await host.called()).length > 0)
  const bob = await clone(host.address, host.bob)
  await bob.commit({ bob: 'x' })
  expect((await bob.push('HEAD:refs/heads/agent_bob/new')).code).toBe(0)
  await host.open()
  for (const status of await Promise.all(opening)) expect([201, 409]).toContain(status)
})

test('an edit that has the turn of a repository does not wait for other reads of its account there', async () => {
  const host = await startWithGate("'cat-file '*", 'read')
  await host.call('POST', '/orgs/acme/repos', { name: 'other', auto_init: true })
  for (const [login, token] of [
    ['agent_ada', host.ada],
    ['agent_bob', host.bob],
  ] as const) {
    const work = await clone(host.address, token)
    await work.commit({ [login]: 'x' })
    expect((await work.push(`HEAD:refs/heads/${login}/new`)).code).toBe(0)
  }
  const open = { title: 'New', base: 'main' }
  await host.asAda('POST', `${base}/pulls`, { ...open, head: 'agent_ada/new' })
  await host.close()
  const read = () => host.asAda('GET', '/repos/acme/other/contents/README.md')
  const reads = [read(), read(), read()]
  await until(async () => (await host.called()).length > 0)
  const closing = host.asAda('PATCH', `${base}/pulls/1`, { state: 'closed' })
  await host.call('GET', '/user')
  expect((await host.asBob('POST', `${base}/pulls`, { ...open, head: 'agent_bob/new' })).status).toBe(201)
  await host.open()
  expect((await closing).body.state).toBe('closed')
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('however many commands the platform runs for pull requests of one account, those for another are run', async () => {
  const host = await startWithGate("'rev-parse --sq-quote '*", '$3')
  const git = createGit(host.folder, 1_000_000)
  await host.close()
  const run = (login: string) =>
    served.run({ isPlatform: true, login }, () => git.run(host.folder, ['rev-parse', '--sq-quote', login]))
  const runs = ['ada', 'ada', 'ada', 'ada', 'bob'].map(run)
  await until(async () => (await host.called()).includes('bob'))
  expect((await host.called()).sort()).toEqual(['ada', 'bob'])
  await host.open()
  expect((await Promise.all(runs)).map((output) => output.trim())).toEqual([
    "'ada'",
    "'ada'",
    "'ada'",
    "'ada'",
    "'bob'",
  ])
})

test('the end of a pull request whose numbers are known is reported before the comparisons of others are made', async () => {
  const host = await startWithBranches({ agent_ada: 1, agent_bob: 1 })
  const opens = (as: typeof host.asAda, head: string) =>
    as('POST', `${base}/pulls`, { title: head, head, base: 'main' })
  const { number } = (await opens(host.asBob, 'agent_bob/0')).body
  await host.close()
  const ofAda = opens(host.asAda, 'agent_ada/0')
  await until(async () => (await host.called()).length > 0)
  expect((await host.asBob('PATCH', `${base}/pulls/${number}`, { state: 'closed' })).status).toBe(200)
  const actions = () => host.deliveries.flatMap(({ text }) => /"action":"(\w+)"/.exec(text)?.[1] ?? [])
  await until(() => actions().includes('closed'))
  await host.open()
  await ofAda
  await until(() => actions().length === 3)
  expect(actions()).toEqual(['opened', 'closed', 'opened'])
})

test('a merge is shown as soon as main has it, while other commands of its repository wait', async () => {
  const host = await startWithGate("'update-ref refs/heads/agent_ada/'*", 'branch')
  const work = await clone(host.address, host.ada)
  await work.commit({ ada: 'x' })
  expect((await work.push('HEAD:refs/heads/agent_ada/new')).code).toBe(0)
  await host.asAda('POST', `${base}/pulls`, { title: 'New', head: 'agent_ada/new', base: 'main' })
  await host.close()
  const merging = host.call('PUT', `${base}/pulls/1/merge`, { merge_method: 'squash' })
  await until(async () => (await host.called()).length > 0)
  expect((await host.call('GET', `${base}/pulls/1`)).body).toMatchObject({ state: 'closed', merged: true })
  await host.open()
  expect((await merging).status).toBe(200)
})

test('while changes of a pull request are compared, others push to its repository and merge', async () => {
  const host = await startWithGate("'diff '*--numstat*", 'diff')
  const open = async (login: string, token: string, as: typeof host.asAda) => {
    const work = await clone(host.address, token)
    await work.commit({ [login]: 'x' })
    expect((await work.push(`HEAD:refs/heads/${login}/new`)).code).toBe(0)
    return {
      work,
      opens: () => as('POST', `${base}/pulls`, { title: login, head: `${login}/new`, base: 'main' }),
    }
  }
  const bob = await open('agent_bob', host.bob, host.asBob)
  expect((await bob.opens()).status).toBe(201)
  const ada = await open('agent_ada', host.ada, host.asAda)
  await host.close()
  const opening = ada.opens()
  await until(async () => (await host.called()).length > 0)
  const { sha } = (await host.call('PUT', `${base}/pulls/1/merge`, { merge_method: 'squash' })).body
  await bob.work.commit({ more: 'y' })
  expect((await bob.work.push('HEAD:refs/heads/agent_bob/more')).code).toBe(0)
  expect((await host.call('GET', `${base}/commits/main`)).body.sha).toBe(sha)
  await host.open()
  expect((await opening).body).toMatchObject({ number: 2, changed_files: 1 })
  await until(() => host.deliveries.filter(({ event }) => event === 'pull_request').length === 3)
})

test('a large comparison is made once, also for those who ask at the same time, and others do not push it out', async () => {
  const host = await startWithGate("'diff '*", 'diff')
  const work = await clone(host.address, host.ada)
  const input = (args: string[], text: string) => {
    const made = promisify(execFile)('git', args, { cwd: work.directory })
    made.child.stdin?.end(text)
    return made.then(({ stdout }) => stdout.trim())
  }
  const numbers = [0, 1, 2]
  for (const number of numbers) {
    const blob = await input(['hash-object', '-w', '--stdin'], `${number}\n`)
    const entries = (mode: string, id: string, count: number) =>
      input(['mktree'], Array.from({ length: count }, (_, at) => `${mode} ${id}\tf${at}\n`).join(''))
    const tree = await entries('040000 tree', await entries('100644 blob', blob, 200), 200)
    const commit = await work.gitAll(['commit-tree', tree, '-p', 'origin/main', '-m', 'Large'])
    const head = `agent_ada/${number}`
    expect((await work.push(`${commit}:refs/heads/${head}`)).code).toBe(0)
    const opened = await host.asAda('POST', `${base}/pulls`, { title: 'Large', head, base: 'main' })
    expect(opened.status).toBe(201)
    const read = async () => (await host.call('GET', `${base}/pulls/${opened.body.number}`)).body
    await until(async () => (await read()).changed_files === 40_001)
  }
  const read = (number: number) => host.call('GET', `${base}/pulls/${number + 1}`)
  const edit = (number: number) =>
    host.asAda('PATCH', `${base}/pulls/${number + 1}`, { title: `Large ${number}` })
  const files = (number: number) => host.call('GET', `${base}/compare/main...agent_ada%2F${number}`)
  await host.close()
  await host.open()
  for (const ask of [read, edit, files])
    for (const number of numbers) expect((await ask(number)).status).toBe(200)
  expect(await host.called()).toEqual([])
  await work.commit({ new: 'x' })
  expect((await work.push('HEAD:refs/heads/agent_ada/new')).code).toBe(0)
  await host.close()
  const asked = ['new', 'new'].map((name) => host.call('GET', `${base}/compare/main...agent_ada%2F${name}`))
  await until(async () => (await host.called()).length > 0)
  await host.open()
  expect((await Promise.all(asked)).map(({ body }) => body.files.length)).toEqual([1, 1])
  expect(await host.called()).toEqual(['diff'])
})

test('a push checks each tree once, whatever number of branches has it', async () => {
  const host = await startWithGate("'ls-tree '*", 'tree')
  const work = await clone(host.address, host.ada)
  const one = await work.commit({ new: 'x' })
  const again = ['commit', '--quiet', '--allow-empty', '-m', 'Again']
  const other = await work.gitAll(again, ['rev-parse', 'HEAD'])
  expect((await work.push('HEAD:refs/heads/agent_ada/new')).code).toBe(0)
  const updates = Array.from(
    { length: 20 },
    (_, at) => `${nothing} ${at % 2 ? one : other} refs/heads/agent_ada/${at}\n`,
  )
  const hook = promisify(execFile)('sh', [join(host.directory, 'git/hooks/pre-receive')], {
    cwd: join(host.directory, 'repositories/1.git'),
    env: { PATH: process.env.PATH, PUSHER: 'agent_ada', GIT_QUARANTINE_PATH: host.folder },
  })
  hook.child.stdin?.end(updates.join(''))
  await hook
  expect(await host.called()).toEqual(['tree'])
})

test('fetches of one repository keep neither those of another nor pushes waiting, and none is refused', async () => {
  const host = await startWithGate('http-backend', '$PATH_INFO')
  await host.call('POST', '/orgs/acme/repos', { name: 'other', auto_init: true })
  await host.close()
  const refs = (repository: string, service = 'git-upload-pack') =>
    fetch(`${host.webUrl}/acme/${repository}.git/info/refs?service=${service}`, {
      headers: { authorization: `Basic ${Buffer.from(`x:${host.bob}`).toString('base64')}` },
    })
  const fetches = Array.from({ length: 40 }, () => refs('rocket'))
  await until(async () => (await host.called()).length === 1)
  const others = [refs('other'), refs('rocket', 'git-receive-pack')]
  await until(async () => (await host.called()).length === 3)
  await host.open()
  const statuses = (await Promise.all([...fetches, ...others])).map(({ status }) => status)
  expect(statuses).toEqual(Array(42).fill(200))
})
