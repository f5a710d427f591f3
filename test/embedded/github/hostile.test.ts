/** @module-tag git */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../support/until.ts'
import { temporaryDirectory } from '../support.ts'
import { clone, git, startWithGit } from './git-client.ts'
import {
  commitOf,
  leftovers,
  makePack,
  mib,
  pktLine,
  push,
  pushBody,
  pushHead,
  sendRaw,
  treeOf,
} from './raw-git.ts'
import { newRepository, start } from './support.ts'

const realGit = () =>
  (process.env.PATH ?? '')
    .split(':')
    .map((path) => join(path, 'git'))
    .find(existsSync)

const paths = [
  ['GET /acme/rocket.git/HEAD', 404],
  ['GET /acme/rocket.git/objects/info/packs', 404],
  ['GET /acme/rocket.git/info/refs', 403],
  ['GET /acme/rocket.git/info/refs?service=git-upload-archive', 403],
  ['GET /acme/rocket.git/info/refs?service=git-upload-pack%00', 403],
  ['GET /acme/rocket.git/info/refs?service=git-upload-pack&service=git-receive-pack', 403],
  ['GET /acme/../acme/none.git/info/refs?service=git-upload-pack', 404],
  ['GET /acme/..%2f1.git/info/refs?service=git-upload-pack', 404],
  ['GET /acme/%2e%2e/info/refs?service=git-upload-pack', 404],
  ['GET /acme/1.git/info/refs?service=git-upload-pack', 404],
  ['GET //acme/rocket.git/info/refs?service=git-upload-pack', 404],
  ['GET /acme/rocket.git/../../git/hooks/pre-receive', 404],
  ['GET /acme/rocket.git.git/info/refs?service=git-upload-pack', 404],
  ['POST /acme/rocket.git/git-upload-archive', 404],
  ['POST /acme/rocket.git/git-upload-pack', 415],
  ['PUT /acme/rocket.git/git-receive-pack', 404],
] as const

test('no other file, service, host or origin is served', async () => {
  const { webUrl, address } = await startWithGit()
  for (const [line, status] of paths) {
    const head = `${line} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
    const raw = await sendRaw(webUrl, head)
    expect([line, Number(raw.split(' ')[1])]).toEqual([line, status])
    expect(raw).not.toMatch(/ref: refs|#!\/bin\/sh|# service=/)
  }
  const url = `${address}/info/refs?service=git-upload-pack`
  expect((await fetch(url, { headers: { origin: 'https://page.example' } })).status).toBe(403)
  expect(
    (
      await sendRaw(
        webUrl,
        'GET /acme/rocket.git/info/refs?service=git-upload-pack HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n',
      )
    ).split(' ')[1],
  ).toBe('403')
  expect((await fetch(url, { headers: { 'git-protocol': 'version=2:$(x)' } })).status).toBe(200)
  expect((await fetch(url.replace('.git/', '/'))).headers.get('content-type')).toContain('git-upload-pack')
})

test('clients that leave at once or while they wait hold nothing', async () => {
  const { webUrl, address } = await startWithGit()
  const { port, host } = new URL(webUrl)
  const leave = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        const request = `GET /acme/rocket.git/info/refs?service=git-upload-pack HTTP/1.1\r\nHost: ${host}\r\n\r\n`
        socket.write(request, () => socket.destroy())
      })
      socket.on('close', () => resolve())
    })
  await Promise.all(Array.from({ length: 12 }, leave))
  expect((await git(tmpdir(), ['ls-remote', address])).code).toBe(0)
})

test('bodies that do not come keep nobody from fetching or pushing', async () => {
  const { webUrl, address, ada, directory } = await startWithGit()
  const { port, host } = new URL(webUrl)
  const fetching =
    'POST /acme/rocket.git/git-upload-pack HTTP/1.1\r\nContent-Type: application/x-git-upload-pack-request\r\nContent-Length: 100\r\n'
  const sockets = Array.from({ length: 70 }, (_, number) => {
    const socket = connect(Number(port), '127.0.0.1')
    const head = number % 7 === 0 ? pushHead(ada, 100_000) : `${fetching}Host: HOST\r\n\r\n`
    socket.on('error', () => undefined).write(`${head.replace('HOST', host)}0`)
    return socket
  })
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
  await until(async () => (await readdir(join(directory, 'received'))).length >= 60)
  const work = await clone(address, ada)
  await work.commit({ new: 'x' })
  expect((await work.push('HEAD:refs/heads/agent_ada/new')).code).toBe(0)
})

test('clients that do not read what they fetch make room for those that wait', async () => {
  const { webUrl, address, ada } = await startWithGit()
  const { port, host } = new URL(webUrl)
  const work = await clone(address, ada)
  const sha = await work.commit({ large: randomBytes(9 * mib) })
  expect((await work.push('HEAD:refs/heads/agent_ada/large')).code).toBe(0)
  const body = `${pktLine(`want ${sha} side-band-64k\n`)}0000${pktLine('done\n')}`
  const fetching = [
    'POST /acme/rocket.git/git-upload-pack HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/x-git-upload-pack-request',
    `Content-Length: ${body.length}`,
  ]
  const sockets = Array.from({ length: 12 }, () => {
    const socket = connect(Number(port), '127.0.0.1').pause()
    socket.on('error', () => undefined).write(`${fetching.join('\r\n')}\r\n\r\n${body}`)
    return socket
  })
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
  // Each of the eight that are served could take a minute, and those that wait as well.
  expect((await git(tmpdir(), ['ls-remote', address])).code).toBe(0)
})

test('while changes that are too large to show are compared, everything else goes on', async () => {
  const folder = await temporaryDirectory()
  const real = realGit()
  const calls = join(folder, 'calls')
  const gate = join(folder, 'gate')
  const wait = `touch '${calls}'; while [ -e '${gate}' ]; do sleep 0.05; done`
  const wrapper = `#!/bin/sh\ncase "$*" in 'diff '*' -p '*) ${wait};; esac\nexec '${real}' "$@"\n`
  await writeFile(join(folder, 'git'), wrapper, { mode: 0o755 })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  const { address, ada, asAda, call, webUrl } = await startWithGit()
  const work = await clone(address, ada)
  const text = 'a line of the file\n'.repeat(45_000)
  await work.commit(
    Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, `${name}${text}`])),
  )
  const head = 'agent_ada/large'
  expect((await work.push(`HEAD:refs/heads/${head}`)).code).toBe(0)
  const fields = { title: head, head, base: 'main' }
  expect((await asAda('POST', '/repos/acme/rocket/pulls', fields)).status).toBe(201)
  await writeFile(gate, '')
  const diff = async () => (await fetch(`${webUrl}/acme/rocket/pull/1.diff`)).status
  const all = Promise.all(Array.from({ length: 6 }, diff))
  await until(() => existsSync(calls))
  expect((await work.git('fetch', address)).code).toBe(0)
  expect((await asAda('GET', '/repos/acme/rocket/pulls/1/commits')).body).toHaveLength(1)
  expect((await call('GET', '/repos/acme/rocket/pulls/1')).body).toMatchObject({ changed_files: 6 })
  await rm(gate)
  expect(await all).toEqual(Array(6).fill(406))
})

test('a comparison that takes too long holds up nobody, and is not tried again', async () => {
  const folder = await temporaryDirectory()
  const real = realGit()
  const [calls, withoutLines] = [join(folder, 'calls'), join(folder, 'without-lines')]
  const slow = `case "$PWD $*" in
    *'/1.git diff '*--numstat*) echo >> '${calls}'; exec sleep 60;;
    *'/1.git diff --no-renames'*) echo >> '${withoutLines}';; esac`
  await writeFile(join(folder, 'git'), `#!/bin/sh\n${slow}\nexec '${real}' "$@"\n`, { mode: 0o755 })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  const { ada, asAda, call, webUrl } = await startWithGit()
  await call('POST', '/orgs/acme/repos', { ...newRepository, name: 'other' })
  const head = 'agent_ada/new'
  const opens = async (name: string) => {
    const work = await clone(`${webUrl}/acme/${name}.git`, ada)
    await work.commit({ new: 'x' })
    expect((await work.push(`HEAD:refs/heads/${head}`)).code).toBe(0)
    return asAda('POST', `/repos/acme/${name}/pulls`, { title: head, head, base: 'main' })
  }
  // Git ends long after both are open.
  for (const name of ['rocket', 'other']) expect((await opens(name)).body).toMatchObject({ changed_files: 1 })
  await until(() => existsSync(withoutLines))
  // Without its lines it is a change all the same.
  for (const as of [asAda, call])
    expect((await as('GET', '/repos/acme/rocket/pulls/1')).body).toMatchObject({
      changed_files: 1,
      additions: 0,
    })
  expect((await readFile(calls, 'utf8')).length).toBe(1)
})

test('renames are found among a few files, and not looked for among many', async () => {
  const { address, ada, asAda } = await startWithGit()
  const work = await clone(address, ada)
  const named = (prefix: string, count: number, end: string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`${prefix}${n}`, `${`text ${n}\n`.repeat(30)}${end}`]),
    )
  const statusesOf = async (count: number) => {
    const branch = `agent_ada/of-${count}`
    await work.gitAll(['checkout', '--quiet', '-b', branch, 'origin/main'])
    const before = await work.commit(named('old', count, ''))
    await work.gitAll(['rm', '--quiet', 'old*'])
    await work.commit(named('new', count, 'changed\n'))
    await work.push(`HEAD:refs/heads/${branch}`)
    const head = await work.gitAll(['rev-parse', 'HEAD'])
    const { body } = await asAda('GET', `/repos/acme/rocket/commits/${head}`)
    expect(body.parents[0].sha).toBe(before)
    return new Set(body.files.map(({ status }: { status: string }) => status))
  }
  expect(await statusesOf(3)).toEqual(new Set(['renamed']))
  expect(await statusesOf(101)).toEqual(new Set(['added', 'removed']))
})

test('a hook that git would not execute: no git, and one line says why', async () => {
  const folder = await temporaryDirectory()
  const real = realGit()
  // As on a file system without programs: git sees the file and may not execute it.
  const wrapper = `#!/bin/sh\nchmod a-x "$HOME"/hooks/* 2>/dev/null\nexec ${real} "$@"\n`
  await writeFile(join(folder, 'git'), wrapper, { mode: 0o755 })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  const { lines, webUrl } = await start({ git: true })
  expect(lines).toEqual([expect.stringMatching(/have no code: git does not run programs in .*hooks$/)])
  expect((await fetch(`${webUrl}/acme/rocket.git/info/refs?service=git-receive-pack`)).status).toBe(404)
})

test('hostile trees: refused, or data like any other', async () => {
  const host = await startWithGit()
  const { address, ada, directory, asAda } = host
  const work = await clone(address, ada)
  const blob = await work.gitAll(['hash-object', '-w', 'README.md'])
  const parent = await work.gitAll(['rev-parse', 'origin/main'])
  const hash = (mode: string, path: string) => {
    const tree = treeOf(mode, path, blob)
    const commit = commitOf(tree.id, parent)
    return { id: commit.id, pack: makePack([tree.object, commit.object]) }
  }
  for (const [mode, path] of [
    ['100644', '.git'],
    ['100644', '.GIT'],
    ['100644', '..'],
    ['100644', 'a/b'],
    ['120000', '.gitmodules'],
  ] as const) {
    const { id, pack } = hash(mode, path)
    const body = await (await push(host, pushBody('refs/heads/agent_ada/t', id, pack))).text()
    expect([path, body]).toEqual([path, expect.stringContaining('unpack index-pack abnormal exit')])
  }
  const { id, pack } = hash('100644', 'fine')
  expect(await (await push(host, pushBody('refs/heads/agent_ada/t', id, pack))).text()).toContain(
    'ok refs/heads/agent_ada/t',
  )
  // Hooks, settings and attributes in a tree are files like any other.
  await work.commit({
    'hooks/pre-receive': '#!/bin/sh\ntouch /tmp/never',
    '.gitattributes': '* diff=evil merge=evil filter=evil',
    config: '[core]\nhooksPath=.',
    '<script>.txt': '<script>alert(1)</script>',
  })
  await work.git('push', '-o', 'ci.skip', address, 'HEAD:refs/heads/agent_ada/x')
  expect((await work.push('HEAD:refs/heads/agent_ada/x')).code).toBe(0)
  const opened = await asAda('POST', '/repos/acme/rocket/pulls', {
    title: 'x',
    head: 'agent_ada/x',
    base: 'main',
  })
  expect(opened.body).toMatchObject({ changed_files: 4, mergeable: true })
  expect(await (await fetch(opened.body.html_url)).text()).not.toContain('<script>')
  expect((await fetch(opened.body.diff_url)).headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await leftovers(directory)).toEqual([])
})

test('bodies that are refused while they are written end nothing but their request', async () => {
  const host = await startWithGit()
  const address = `${host.webUrl}/acme/rocket.git/git-upload-pack`
  const headers = { 'content-type': 'application/x-git-upload-pack-request' }
  for (let times = 0; times < 5; times++) {
    const refused = await fetch(address, { method: 'POST', headers, body: Buffer.alloc(8 * mib) }).catch(
      () => null,
    )
    expect(refused === null || refused.status === 413).toBe(true)
  }
  expect((await host.call('GET', '/repos/acme/rocket')).status).toBe(200)
})
