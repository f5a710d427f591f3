import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { clone, git, startWithGit } from './git-client.ts'

const mib = 1024 * 1024
const commitOfNobody = '1'.repeat(40)
const nothing = '0'.repeat(40)

/** Sends exactly these bytes and returns everything that comes back. */
async function sendRaw(webUrl: string, text: string | Buffer): Promise<string> {
  const { port, host } = new URL(webUrl)
  const socket = connect(Number(port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.write(text.toString('latin1' as never).replaceAll('HOST', host), 'latin1')
  await once(socket, 'close')
  return received
}

const basic = (token: string) => `Basic ${Buffer.from(`x:${token}`).toString('base64')}`
const pktLine = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text

/** The body of a push of one ref: the command, then a pack. */
function pushBody(ref: string, sha: string, pack: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${pktLine(`${nothing} ${sha} ${ref}\0report-status side-band-64k`)}0000`),
    pack,
  ])
}

/** A pack with these objects: their type, their size, their compressed content. */
function makePack(objects: { type: number; size: number; data: Buffer }[]): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(objects.length)
  const parts = objects.flatMap(({ type, size, data }) => {
    const head = []
    let byte = (type << 4) | (size % 16)
    for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
      head.push(byte | 0x80)
      byte = left % 128
    }
    return [Buffer.from([...head, byte]), data]
  })
  const body = Buffer.concat([Buffer.from('PACK\0\0\0\x02', 'latin1'), count, ...parts])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

function objectOf(type: number, content: Buffer) {
  return { type, size: content.length, data: deflateSync(content) }
}

function push(host: { webUrl: string; ada: string }, body: Buffer, headers: Record<string, string> = {}) {
  return fetch(`${host.webUrl}/acme/rocket.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: basic(host.ada),
      'content-type': 'application/x-git-receive-pack-request',
      ...headers,
    },
    body,
  })
}

/** Temporary files of pushes, which no finished request may leave. */
async function leftovers(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, 'repositories/1.git'), { recursive: true })
  return names.filter((name) => /tmp_|incoming|\.lock$/.test(name))
}

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

test('quotas: each has its error, and what is refused leaves nothing', async () => {
  const limits = { push: 3 * mib, file: mib, repository: 4 * mib, branches: 2, files: 5 }
  const { address, ada, directory } = await startWithGit({ limits })
  const work = await clone(address, ada)
  const refused = async (files: Record<string, Buffer | string>, message: string) => {
    await work.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
    await work.commit(files)
    const { code, output } = await work.push('HEAD:refs/heads/agent_ada/x')
    expect([code, output]).toEqual([1, expect.stringContaining(message)])
  }
  await refused(
    { 'big.bin': Buffer.alloc(3 * mib) },
    'remote: error: File big.bin is 3 MB; this exceeds the file size limit of 1 MB',
  )
  await refused(Object.fromEntries([0, 1, 2, 3, 4].map((n) => [`f${n}`, 'x'])), 'has more than 5 files')
  await refused(
    { a: randomBytes(mib), b: randomBytes(mib - 32), c: randomBytes(mib - 64), d: randomBytes(mib - 96) },
    'pack exceeds maximum allowed size',
  )
  expect(await leftovers(directory)).toEqual([])
  await work.gitAll(['checkout', '--quiet', '--detach', 'origin/main'])
  await work.commit({ a: 'a' })
  const branch = (name: string) => work.push(`HEAD:refs/heads/agent_ada/${name}`)
  expect([(await branch('one')).code, (await branch('two')).code]).toEqual([0, 0])
  expect((await branch('three')).output).toContain('remote: error: an agent may have 2 branches')
  const swap = [':refs/heads/agent_ada/one', 'HEAD:refs/heads/agent_ada/three']
  expect((await work.push(...swap)).output).toContain('an agent may have 2 branches')
  expect((await work.push(':refs/heads/agent_ada/one')).code).toBe(0)
  expect((await branch('three')).code).toBe(0)
  for (const n of [1, 2, 3]) {
    await work.commit(Object.fromEntries(['a', 'b'].map((name) => [name, randomBytes(mib - n)])))
    await branch('three')
  }
  expect((await branch('two')).output).toContain('remote error: the repository is full')
  expect((await work.git('fetch', address)).code).toBe(0)
})

test('hostile trees: refused, or data like any other', async () => {
  const host = await startWithGit()
  const { address, ada, directory, asAda } = host
  const work = await clone(address, ada)
  const hash = async (mode: string, path: string) => {
    const blob = await work.gitAll(['hash-object', '-w', 'README.md'])
    const entry = Buffer.concat([Buffer.from(`${mode} ${path}\0`), Buffer.from(blob, 'hex')])
    const tree = Buffer.from(entry)
    const parent = await work.gitAll(['rev-parse', 'origin/main'])
    const sha = createHash('sha1').update(`tree ${tree.length}\0`).update(tree).digest('hex')
    const commit = Buffer.from(
      `tree ${sha}\nparent ${parent}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`,
    )
    const id = createHash('sha1').update(`commit ${commit.length}\0`).update(commit).digest('hex')
    return { id, pack: makePack([objectOf(2, tree), objectOf(1, commit)]) }
  }
  for (const [mode, path] of [
    ['100644', '.git'],
    ['100644', '.GIT'],
    ['100644', '..'],
    ['100644', 'a/b'],
    ['120000', '.gitmodules'],
  ] as const) {
    const { id, pack } = await hash(mode, path)
    const body = await (await push(host, pushBody('refs/heads/agent_ada/t', id, pack))).text()
    expect([path, body]).toEqual([path, expect.stringContaining('unpack index-pack abnormal exit')])
  }
  const { id, pack } = await hash('100644', 'fine')
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

test('bodies that lie: too long, not compressed, not git, cut off', async () => {
  const host = await startWithGit({ limits: { push: mib } })
  const { webUrl, ada, directory, address, call } = host
  const large = Buffer.alloc(8 * mib, '0004')
  expect((await push(host, large).catch(() => ({ status: 500 }))).status).not.toBe(201)
  // 64 MiB of commands in a few kilobytes.
  const command = pktLine(`${nothing} ${commitOfNobody} refs/heads/agent_ada/${'x'.repeat(900)}`)
  const bomb = gzipSync(command.repeat((64 * mib) / command.length))
  await push(host, bomb, { 'content-encoding': 'gzip' })
    .then((response) => response.text())
    .catch(() => undefined)
  await push(host, Buffer.from('not gzip'), { 'content-encoding': 'gzip' }).then((response) =>
    response.text(),
  )
  await push(host, Buffer.from('zzzz')).then((response) => response.text())
  const head = `POST /acme/rocket.git/git-receive-pack HTTP/1.1\r\nHost: HOST\r\nAuthorization: ${basic(ada)}\r\n`
  const type = 'Content-Type: application/x-git-receive-pack-request\r\n'
  // Both lengths at once: the second request is not taken for another one.
  const smuggled = 'GET /acme HTTP/1.1\r\nHost: HOST\r\n\r\n'
  const both = await sendRaw(
    webUrl,
    `${head}${type}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  )
  expect(both.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(both).toMatch(/^HTTP\/1\.1 400/)
  // A delta that describes 3 GB: the process dies of its memory limit, not the machine.
  const base = Buffer.alloc(mib)
  const id = createHash('sha1').update(`blob ${mib}\0`).update(base).digest()
  const varint = (n: number): number[] => (n < 128 ? [n] : [(n % 128) | 0x80, ...varint(Math.floor(n / 128))])
  const copies = Array.from({ length: 3072 }, () => [0x80 | 0x40, 0x10]).flat()
  const delta = Buffer.from([...varint(mib), ...varint(3072 * mib), ...copies])
  const pack = makePack([
    objectOf(3, base),
    { type: 7, size: delta.length, data: Buffer.concat([id, deflateSync(delta)]) },
  ])
  const answer = await (await push(host, pushBody('refs/heads/agent_ada/d', id.toString('hex'), pack))).text()
  expect(answer).toContain('ng refs/heads/agent_ada/d')
  expect(await leftovers(directory)).toEqual([])
  expect((await git(directory, ['ls-remote', address])).output.split('\n')).toHaveLength(3)
  expect((await call('GET', '/repos/acme/rocket')).status).toBe(200)
})

test('a push that takes too long is ended with all its processes', async () => {
  const { webUrl, ada, directory, address } = await startWithGit({ limits: { timeMs: 1000 } })
  const head = `POST /acme/rocket.git/git-receive-pack HTTP/1.1\r\nHost: HOST\r\nAuthorization: ${basic(ada)}\r\n`
  const type = 'Content-Type: application/x-git-receive-pack-request\r\n'
  const start = `${nothing} ${commitOfNobody} refs/heads/agent_ada/x\0report-status`
  const body = `${pktLine(start)}0000PACK\0\0\0\x02\0\0\0\x01`
  await sendRaw(webUrl, `${head}${type}Content-Length: 100000\r\n\r\n${body}`)
  expect(await leftovers(directory)).toEqual([])
  expect((await git(directory, ['ls-remote', address])).code).toBe(0)
})
