/** @module-tag git */
import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { clone, git, startWithGit } from './git-client.ts'
import {
  basic,
  commitOfNobody,
  halfPush,
  leftovers,
  makePack,
  mib,
  nothing,
  objectOf,
  pktLine,
  push,
  pushBody,
  pushBodyOf,
  pushHead,
  sendRaw,
} from './raw-git.ts'

test('quotas: each has its error, and what is refused leaves nothing', async () => {
  const limits = { push: 3 * mib, file: mib, repository: 4 * mib, branches: 2, files: 5, paths: 2_000 }
  const { address, ada, directory, webUrl } = await startWithGit({ limits })
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
  await refused({ [`${`${'x'.repeat(150)}/`.repeat(6)}x`]: 'x' }, 'has paths of more than 2000 bytes')
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
  // Deleting branches that do not exist makes no room for others.
  const sha = await work.gitAll(['rev-parse', 'origin/main'])
  const names = Array.from({ length: 10 }, (_, index) => `refs/heads/agent_ada/n${index}`)
  const commands = [
    ...names.map((name) => `${sha} ${nothing} ${name}-none`),
    ...names.map((name) => `${nothing} ${sha} ${name}`),
  ]
  const many = await (await push({ webUrl, ada }, pushBodyOf(commands, makePack([])))).text()
  expect(many).toContain('an agent may have 2 branches')
  expect((await work.gitAll(['ls-remote', address, 'refs/heads/agent_ada/*'])).split('\n')).toHaveLength(2)
  for (const n of [1, 2, 3]) {
    await work.commit(Object.fromEntries(['a', 'b'].map((name) => [name, randomBytes(mib - n)])))
    await branch('three')
  }
  expect((await branch('two')).output).toContain('remote error: the repository is full')
  expect((await work.git('fetch', address)).code).toBe(0)
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
  await sendRaw(webUrl, `${pushHead(ada, 100_000)}${halfPush}`)
  expect(await leftovers(directory)).toEqual([])
  expect((await git(directory, ['ls-remote', address])).code).toBe(0)
})

test('clients that send nothing more, or read nothing, lose their place', async () => {
  const limits = { timeMs: 3000, idleMs: 1000 }
  const { webUrl, ada, address, bob, asAda } = await startWithGit({ limits })
  const work = await clone(address, ada)
  const sha = await work.commit({ a: randomBytes(9 * mib), b: randomBytes(9 * mib) })
  expect((await work.push('HEAD:refs/heads/agent_ada/x')).code).toBe(0)
  const { port, host } = new URL(webUrl)
  const type = 'Content-Type: application/x-git-upload-pack-request'
  const post = (body: string, length = body.length) =>
    `POST /acme/rocket.git/git-upload-pack HTTP/1.1\r\nHost: ${host}\r\n${type}\r\nContent-Length: ${length}\r\n\r\n${body}`
  const want = `${pktLine(`want ${sha} ofs-delta\n`)}0000${pktLine('done\n')}`
  const sockets = [post('0032want', 1_000), post(want), pushHead(bob, 1_000).replace('HOST', host)].flatMap(
    (text) =>
      Array.from({ length: 5 }, () => {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
        socket.pause().write(text)
        return socket
      }),
  )
  await until(async () => (await git(work.directory, ['ls-remote', address])).code === 0)
  await until(async () => (await work.push('HEAD:refs/heads/agent_ada/y')).code === 0)
  expect((await asAda('GET', '/repos/acme/rocket')).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})
