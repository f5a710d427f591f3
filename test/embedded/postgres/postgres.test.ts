import { chown, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../../server/embedded/postgres/postgres.ts'
import { isAlive } from '../../../server/embedded/processes.ts'
import { until } from '../../support/until.ts'
import { otherUser } from '../other-user.ts'
import { isRoot, recorder, runService, spawnService, temporaryDirectory } from '../support.ts'

async function start(directory: string, settings: Record<string, string> = {}) {
  const { lines, log } = recorder()
  const server = await startPostgres({ directory, log, settings })
  let running = true
  const stop = async () => {
    if (running) await server.stop()
    running = false
  }
  onTestFinished(stop)
  return { url: server.url, stop, lines }
}

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function postmaster(directory: string): Promise<number> {
  return Number((await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

describe('a fresh directory', () => {
  test('gives a UTF-8 database called marketplace on 127.0.0.1', async () => {
    const { url } = await start(await temporaryDirectory())
    expect(new URL(url).hostname).toBe('127.0.0.1')
    const [row] = await query(
      url,
      `select current_database(), pg_encoding_to_char(encoding) as encoding, datlocprovider, datlocale,
              current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets,
              current_setting('TimeZone') as zone, lower('Ä') as lower
       from pg_database where datname = current_database()`,
    )
    expect(row).toEqual({
      current_database: 'marketplace',
      encoding: 'UTF8',
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
      listen: '127.0.0.1',
      sockets: '',
      zone: 'UTC',
      lower: 'ä',
    })
  })

  test('keeps the password in a file of mode 600, and refuses connections without it', async () => {
    const directory = await temporaryDirectory()
    const { url, lines } = await start(directory)
    expect((await stat(join(directory, 'password'))).mode & 0o777).toBe(0o600)
    const { password } = new URL(url)
    expect((await readFile(join(directory, 'password'), 'utf8')).trim()).toBe(password)
    expect(`${lines} ${await readFile(join(directory, 'postgres.log'), 'utf8')}`).not.toContain(password)
    await expect(query(url.replace(password, 'wrong'), 'select 1')).rejects.toMatchObject({ code: '28P01' })
    await expect(query(url.replace(`:${password}`, ''), 'select 1')).rejects.toThrow(/password/)
  })

  test('accepts further settings', async () => {
    const { url } = await start(await temporaryDirectory(), { fsync: 'off', work_mem: '7MB' })
    const [row] = await query(
      url,
      `select current_setting('fsync') as fsync, current_setting('work_mem') as mem`,
    )
    expect(row).toEqual({ fsync: 'off', mem: '7MB' })
  })

  test('a first start that was killed half way is repeated', async () => {
    let directory: string
    for (;;) {
      directory = await temporaryDirectory()
      const isComplete = async () => (await readdir(directory)).includes('data')
      const service = spawnService('postgres', { directory })
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
})

describe('data', () => {
  test('is there after a stop', async () => {
    const directory = await temporaryDirectory()
    const first = await start(directory)
    await query(first.url, 'create table kept as select 42 as answer')
    const pid = await postmaster(directory)
    await first.stop()
    expect(await isAlive(pid)).toBe(false)
    const { url } = await start(directory)
    expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test('is there after the parent was killed; its server is reused, and stopped', async () => {
    const directory = await temporaryDirectory()
    const service = await runService<{ url: string }>('postgres', { directory })
    await query(service.value.url, 'create table kept as select 42 as answer')
    const pid = await postmaster(directory)
    await service.kill()
    const { url, stop, lines } = await start(directory)
    expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(await postmaster(directory)).toBe(pid)
    expect(lines).toEqual([expect.stringContaining('earlier process')])
    await stop()
    expect(await isAlive(pid)).toBe(false)
  })

  test('is there after everything was killed', async () => {
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
})

test('a pid file whose process id now belongs to another program does not prevent a start', async () => {
  const directory = await temporaryDirectory()
  const first = await start(directory)
  const pidFile = join(directory, 'data', 'postmaster.pid')
  const lines = (await readFile(pidFile, 'utf8')).split('\n')
  await first.stop()
  await writeFile(pidFile, [process.pid, ...lines.slice(1)].join('\n'))
  const { url } = await start(directory)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
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

test.runIf(isRoot)('as root, runs as another account, below a directory only root can enter', async () => {
  const directory = await temporaryDirectory()
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  await start(directory)
  expect((await stat(join(directory, 'data'))).uid).not.toBe(0)
  expect((await stat(`/proc/${await postmaster(directory)}`)).uid).not.toBe(0)
})

test.runIf(isRoot)(
  'as an unprivileged user, runs as that user; also when root starts it later',
  async ({ skip }) => {
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
  },
)

async function copyOwners(model: string, directory: string): Promise<void> {
  const { uid, gid } = await stat(model)
  for (const name of ['', ...(await readdir(directory, { recursive: true }))]) {
    await chown(join(directory, name), uid, gid)
  }
}
