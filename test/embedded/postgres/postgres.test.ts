import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAlive } from '../../../server/embedded/processes.ts'
import { runService, temporaryDirectory } from '../support.ts'
import { postmaster, query, start } from './support.ts'

test('a fresh directory gives a UTF-8 database called marketplace on 127.0.0.1, with a password and further settings', async () => {
  const directory = await temporaryDirectory()
  const { url, lines } = await start(directory, { fsync: 'off', work_mem: '7MB' })
  expect(new URL(url).hostname).toBe('127.0.0.1')
  const [row] = await query(
    url,
    `select current_database(), pg_encoding_to_char(encoding) as encoding, datlocprovider, datlocale,
            current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets,
            current_setting('TimeZone') as zone, lower('Ä') as lower,
            current_setting('fsync') as fsync, current_setting('work_mem') as mem
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
    fsync: 'off',
    mem: '7MB',
  })
  expect((await stat(join(directory, 'password'))).mode & 0o777).toBe(0o600)
  const { password } = new URL(url)
  expect((await readFile(join(directory, 'password'), 'utf8')).trim()).toBe(password)
  expect(`${lines} ${await readFile(join(directory, 'postgres.log'), 'utf8')}`).not.toContain(password)
  await expect(query(url.replace(password, 'wrong'), 'select 1')).rejects.toMatchObject({ code: '28P01' })
  await expect(query(url.replace(`:${password}`, ''), 'select 1')).rejects.toThrow(/password/)
})

describe('data', () => {
  test('is there after a stop, whatever program the process id in its file belongs to by then', async () => {
    const directory = await temporaryDirectory()
    const first = await start(directory)
    await query(first.url, 'create table kept as select 42 as answer')
    const pid = await postmaster(directory)
    const pidFile = join(directory, 'data', 'postmaster.pid')
    const lines = (await readFile(pidFile, 'utf8')).split('\n')
    await first.stop()
    expect(await isAlive(pid)).toBe(false)
    const second = await start(directory)
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    await second.stop()
    await writeFile(pidFile, [process.pid, ...lines.slice(1)].join('\n'))
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
})

test('as root, runs as another account, below a directory only root can enter', {
  tags: 'root',
}, async () => {
  const directory = await temporaryDirectory()
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  await start(directory)
  expect((await stat(join(directory, 'data'))).uid).not.toBe(0)
  expect((await stat(`/proc/${await postmaster(directory)}`)).uid).not.toBe(0)
})
