import { chown, cp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '../../../server/embedded/processes.ts'
import { until } from '../../support/until.ts'
import { otherUser } from '../other-user.ts'
import { isRoot, runService, spawnService, temporaryDirectory } from '../support.ts'
import { postmaster, query, start } from './support.ts'

test('a first start that was killed half way is repeated', async () => {
  let directory: string
  for (;;) {
    directory = await temporaryDirectory()
    const isComplete = async () => (await readdir(directory)).includes('data')
    const service = await spawnService('postgres', { directory })
    await until(async () => {
      const incomplete = (await readdir(directory)).find((name) => name.startsWith('initializing-'))
      const isBegun = incomplete && (await readdir(join(directory, incomplete))).includes('data')
      return isBegun || isComplete()
    })
    await service.kill()
    if (!(await isComplete())) break
    // The kill came too late, as on a busy machine: that server is ended, and another start is killed.
    await (await start(directory)).stop()
  }
  const { url } = await start(directory)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await readdir(directory)).sort()).toEqual(['data', 'password', 'postgres.log'])
})

test('data is there after everything was killed', async () => {
  const directory = await temporaryDirectory()
  const service = await runService<{ url: string }>('postgres', { directory })
  await query(service.value.url, 'create table kept as select 42 as answer')
  const pid = await postmaster(directory)
  process.kill(pid, 'SIGKILL')
  await service.kill()
  const { url } = await start(directory)
  expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(await postmaster(directory)).not.toBe(pid)
})

test('a copy of the directory gets its own server while the original runs', async () => {
  const directory = await temporaryDirectory()
  const original = await start(directory)
  await query(original.url, 'create table kept as select 42 as answer')
  await query(original.url, 'checkpoint')
  const copied = join(await temporaryDirectory(), 'copy')
  await cp(directory, copied, { recursive: true })
  if (isRoot) await copyOwners(join(directory, 'data'), join(copied, 'data'))
  const copy = await start(copied)
  await query(copy.url, 'update kept set answer = 43')
  expect(await query(original.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('Ctrl-C in the terminal ends the server only when its parent stops it', async () => {
  const directory = await temporaryDirectory()
  const service = await runService<{ url: string }>('postgres', { directory })
  const pid = await postmaster(directory)
  process.kill(service.process.pid!, 'SIGSTOP')
  process.kill(-service.process.pid!, 'SIGINT') // what a terminal does: the whole process group
  await query(service.value.url, 'select pg_sleep(0.5)')
  process.kill(service.process.pid!, 'SIGCONT')
  expect(await service.line()).toBe('stopped')
  expect(await isAlive(pid)).toBe(false)
})

test('as an unprivileged user, runs as that user; also when root starts it later', { tags: 'root' }, async ({
  skip,
}) => {
  const directory = await temporaryDirectory()
  const account = await otherUser(skip)
  await chown(directory, account.uid, account.gid)
  const service = await runService<{ url: string }>('postgres', { directory }, account)
  await query(service.value.url, 'create table kept as select 42 as answer')
  expect((await stat(join(directory, 'data'))).uid).toBe(account.uid)
  service.process.kill('SIGINT')
  expect(await service.line()).toBe('stopped')
  const { url } = await start(directory)
  expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect((await stat(`/proc/${await postmaster(directory)}`)).uid).toBe(account.uid)
})

async function copyOwners(model: string, directory: string): Promise<void> {
  const { uid, gid } = await stat(model)
  for (const name of ['', ...(await readdir(directory, { recursive: true }))]) {
    await chown(join(directory, name), uid, gid)
  }
}
