import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changeOwner, chooseAccount } from '../../server/embedded/postgres/account.ts'
import { until } from '../support/until.ts'
import { archiveInTest } from './support/cluster/archive.ts'
import { query } from './support/cluster/client.ts'
import type { Cluster } from './support/cluster/cluster.ts'
import { clusterInTest } from './support/cluster/cluster-in-test.ts'
import { runShipped } from './support/cluster/shipped.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-restore-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await changeOwner(folder, await chooseAccount(folder))
  return folder
}

/** Writes a row and resolves with a moment after it. */
async function write({ primaryUrl }: Cluster, what: string): Promise<string> {
  await query(primaryUrl, `insert into written values ('${what}')`)
  const [row] = await query(primaryUrl, 'select clock_timestamp()::text as now')
  return row?.now as string
}

async function written({ primaryUrl }: Cluster): Promise<unknown[]> {
  return (await query(primaryUrl, 'select what from written order by what')).map(({ what }) => what)
}

async function timelineOf(cluster: Cluster): Promise<number> {
  return (await (await cluster.untilLeader()).status()).timeline as number
}

/** Ends the cluster when everything that was written is in the archive. */
async function end(cluster: Cluster, archive: string): Promise<void> {
  const [row] = await query(
    cluster.primaryUrl,
    'select pg_walfile_name(pg_current_wal_lsn()) as name from pg_switch_wal()',
  )
  await until(async () => (await readdir(archive)).includes(row?.name as string))
  await cluster.close()
}

test('a recovery reaches points before and after a failover, also on a timeline that another recovery abandoned', async () => {
  const archive = await archiveInTest()
  const first = await clusterInTest({ archive })
  const { passwords } = first
  await query(first.primaryUrl, 'create table written (what text)')
  const backup = await first.backup()
  const before = await write(first, '1 before the failover')
  await write(first, '2 until the failover')
  const leader = await first.untilLeader()
  await leader.kill()
  await first.untilLeader(leader)
  await first.healthy(1)
  const after = await write(first, '3 after the failover')
  await write(first, '4 mistake')
  const abandoned = await timelineOf(first)
  await end(first, archive)
  const recover = (point: string, timeline?: number) =>
    clusterInTest({ archive, restore: { backup, passwords, until: point, ...(timeline && { timeline }) } })

  const early = await recover(before)
  expect(await written(early)).toEqual(['1 before the failover'])
  const tooEarly = await timelineOf(early)
  expect(tooEarly).toBeGreaterThan(abandoned)
  const lateBackup = await early.backup()
  await write(early, '5 after a recovery that went too far back')
  await end(early, archive)

  const later = await recover(after, abandoned)
  expect(await written(later)).toEqual([
    '1 before the failover',
    '2 until the failover',
    '3 after the failover',
  ])
  expect(await timelineOf(later)).toBeGreaterThan(tooEarly)
  await write(later, '6 after the second recovery')
  await end(later, archive)

  const newest = await recover('')
  expect(await written(newest)).toEqual([
    '1 before the failover',
    '2 until the failover',
    '3 after the failover',
    '6 after the second recovery',
  ])
  await end(newest, archive)

  const attempt = (from: string, timeline: number) => restoreAlone(archive, from, after, timeline)
  await expect(attempt(backup, 1)).rejects.toThrow(
    'recovery ended before configured recovery target was reached',
  )
  await expect(attempt(backup, 99)).rejects.toThrow('recovery target timeline 99 does not exist')
  await expect(attempt(lateBackup, abandoned)).rejects.toThrow('FATAL')
  const segments = (await readdir(archive)).filter((name) => /^[0-9A-F]{24}$/.test(name))
  await Promise.all(segments.map((name) => chmod(join(archive, name), 0o000)))
  await expect(attempt(backup, abandoned)).rejects.toThrow('cannot be copied')
}, 600_000)

/** Runs `restore-backup` only. */
async function restoreAlone(archive: string, backup: string, point: string, timeline: number): Promise<void> {
  const folder = await temporaryFolder()
  const args = [backup, join(folder, 'data'), point, String(timeline)]
  await runShipped('restore-backup', args, { folder, environment: { ARCHIVE: archive } })
}
