/** @module-tag git */
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { clone, git, startWithGit } from './git-client.ts'
import {
  basic,
  commitOfNobody,
  halfPush,
  leftovers,
  mib,
  nothing,
  pktLine,
  push,
  pushHead,
  sendRaw,
} from './raw-git.ts'

test('quotas: each has its error, and what is refused leaves nothing', async () => {
  const limits = { push: 3 * mib, file: mib }
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
  await refused(
    { a: randomBytes(mib), b: randomBytes(mib - 32), c: randomBytes(mib - 64), d: randomBytes(mib - 96) },
    'pack exceeds maximum allowed size',
  )
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
