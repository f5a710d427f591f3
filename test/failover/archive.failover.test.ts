import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { changeOwner, chooseAccount } from '../../server/embedded/postgres/account.ts'
import { archiveInTest } from './support/cluster/archive.ts'
import { findProgram } from './support/cluster/packages.ts'
import { runShipped } from './support/cluster/shipped.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-segments-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await changeOwner(folder, await chooseAccount(folder))
  return folder
}

async function same(one: string, other: string): Promise<boolean> {
  return (await readFile(one)).equals(await readFile(other))
}

/** Two real copies of one segment: what a standby had when its leader restarted, and what the leader wrote in the end. */
async function segmentCopies() {
  const folder = await temporaryFolder()
  const account = await chooseAccount(folder)
  const data = join(folder, 'data')
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(join(dirname(findProgram('postgres')), program), args, { cwd: folder, ...account })
  await run('initdb', '--pgdata', data, '--username=postgres', '--auth=trust', '--no-sync')
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c autovacuum=off`
  await run('pg_ctl', 'start', '--pgdata', data, '--wait', '--options', options, '--log', join(folder, 'log'))
  onTestFinished(async () => void (await run('pg_ctl', 'stop', '--pgdata', data, '--mode=immediate')))
  const client = new Client({ host: folder, user: 'postgres' })
  await client.connect()
  const { rows } = await client.query('select pg_walfile_name(pg_current_wal_lsn()) as name')
  const name: string = rows[0].name
  const copies: string[] = []
  for (const state of ['half', 'whole']) {
    await client.query(`create table ${state} as select generate_series(1, 1000)`)
    await mkdir(join(folder, state))
    const copy = join(folder, state, name)
    await copyFile(join(data, 'pg_wal', name), copy)
    await changeOwner(copy, account)
    copies.push(copy)
  }
  await client.end()
  const [half, whole] = copies as [string, string]
  return { name, half, whole }
}

test('of two copies of a segment, recovery takes the one that reaches further, and both are kept', async () => {
  const { name, half, whole } = await segmentCopies()
  for (const order of [
    [half, whole],
    [whole, half],
    [half, whole, half, whole],
  ]) {
    const archive = await archiveInTest()
    const run = (script: string, ...args: string[]) =>
      runShipped(script, args, { folder: archive, environment: { ARCHIVE: archive } })
    for (const copy of order) await run('archive-wal', copy, name)
    const [marker, plain, beside, ...others] = (await readdir(archive)).sort()
    expect([marker, plain, others]).toEqual(['.archive', name, []])
    const [first, second] = order as [string, string]
    expect(await same(join(archive, name), first)).toBe(true)
    expect(await same(join(archive, beside as string), second)).toBe(true)
    const restored = join(await temporaryFolder(), name)
    await run('restore-wal', name, restored)
    expect(await same(restored, whole)).toBe(true)
  }
})
