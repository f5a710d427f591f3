import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { chmod, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertNames, firingAlerts } from './support/alerts.ts'
import { type Archive, createArchive } from './support/cluster/archive.ts'
import { type Cluster, startCluster } from './support/cluster/cluster.ts'
import { type Exporter, startExporter } from './support/cluster/exporter.ts'
import type { ClusterNode } from './support/cluster/node.ts'
import { untilTrue } from './support/cluster/wait.ts'

/** Characters that an address needs escaped. */
const password = "pa ss':/@%25ü"
let cluster: Cluster
let exporters: Exporter[]
let archive: Archive
const seen = new Set<string>()

beforeAll(async () => {
  archive = await createArchive()
  cluster = await startCluster({ synchronous: true, etcdMembers: 3, archive: archive.path })
  const leader = await cluster.untilLeader()
  await leader.query('create role exporter login in role pg_monitor')
  await leader.query(`alter role exporter password '${password.replace("'", "''")}'`)
  exporters = await Promise.all(cluster.nodes.map((node) => startExporter(node, { password })))
})
afterAll(async () => {
  await cluster?.close()
  await archive?.remove()
})

/** Waits until exactly these alerts would fire. */
async function untilFiring(...expected: string[]): Promise<void> {
  let firing: string[] = []
  await untilTrue(`these alerts fire: ${expected}`, async () => {
    firing = await firingAlerts(cluster, exporters)
    return firing.join() === expected.join()
  }).catch(() => expect(firing).toEqual(expected))
  for (const name of firing) seen.add(name)
}

async function standbys(): Promise<ClusterNode[]> {
  const leader = await cluster.untilLeader()
  return cluster.nodes.filter((node) => node !== leader)
}

test('a healthy cluster fires nothing', () => untilFiring())

test('etcd without a member warns, and without two it has no quorum and the leader is in failsafe mode', async () => {
  const [first, second] = cluster.etcd
  await first?.kill()
  await untilFiring('BountyEtcdMemberMissing')
  await second?.kill()
  await untilFiring('BountyClusterFailsafe', 'BountyEtcdWithoutQuorum')
  await Promise.all([first?.restart(), second?.restart()])
  await untilFiring()
})

test('a paused Patroni warns', async () => {
  const leader = await cluster.untilLeader()
  await leader.request('PATCH', '/config', { pause: true })
  await untilFiring('BountyClusterPaused')
  await leader.request('PATCH', '/config', { pause: null })
  await untilFiring()
})

test('a standby that receives nothing warns', async () => {
  const leader = await cluster.untilLeader()
  const behind = (await standbys())[1] as ClusterNode
  await behind.stopReceiving()
  await leader.query('create table filler as select md5(i::text) from generate_series(1, 1200000) i')
  await untilFiring('BountyClusterStandbyBehind')
  await behind.kill()
  await behind.restart()
  await untilFiring()
})

/** Writes into a segment of the leader's log, and resolves with its name. `end` gives it to the archive. */
async function writeSegment(): Promise<{ name: string; end(): Promise<void> }> {
  const leader = await cluster.untilLeader()
  await leader.query('create table if not exists written (number int)')
  await leader.query('insert into written values (1)')
  const [row] = await leader.query('select pg_walfile_name(pg_current_wal_lsn()) as name')
  return {
    name: row?.name as string,
    async end() {
      await leader.query('select pg_switch_wal()')
    },
  }
}

test('an archive that refuses files pages until it is mended', async () => {
  await chmod(archive.path, 0o000)
  await (await writeSegment()).end()
  await untilFiring('BountyClusterArchiveBehind')
  await chmod(archive.path, 0o700)
  // Postgres tries again after a minute, or as soon as there is another segment.
  await (await writeSegment()).end()
  await untilFiring()
}, 300_000)

test('an archive that hangs pages, too', async () => {
  const segment = await writeSegment()
  // Opening it waits, as with a network folder whose server is gone.
  const hanging = join(archive.path, segment.name)
  await promisify(execFile)('mkfifo', ['--mode=666', hanging])
  await segment.end()
  await untilFiring('BountyClusterArchiveBehind')
  const writer = await open(hanging, constants.O_WRONLY | constants.O_NONBLOCK)
  await rm(hanging)
  await writer.close()
  await untilFiring()
  expect(await readdir(archive.path)).toContain(segment.name)
}, 300_000)

test('a node whose exporter is gone warns, and so does a node that does not archive', async () => {
  const [exporter] = exporters
  await exporter?.kill()
  await untilFiring('BountyClusterArchiveUnwatched')
  await exporter?.restart()
  await untilFiring()
  const [standby] = await standbys()
  for (const [mode, ...alerts] of [['off', 'BountyClusterArchiveUnwatched'], ['always']]) {
    await standby?.request('PATCH', '/config', { postgresql: { parameters: { archive_mode: mode } } })
    await untilTrue(
      'Patroni knows the setting',
      async () => (await standby?.metrics())?.match(/pending_restart\{.*} 1/) != null,
    )
    await standby?.request('POST', '/restart', {})
    await untilFiring(...alerts)
  }
}, 300_000)

test('two nodes that take writes page until the wrong one has returned as a standby', async () => {
  const leader = await cluster.untilLeader()
  await cluster.healthy()
  const others = await Promise.all(
    (await standbys()).map(async (node) => ({ node, ...(await node.status()) })),
  )
  const wrong = others.find(({ sync_standby }) => !sync_standby)?.node as ClusterNode
  // While Patroni is paused it lets a node take writes that somebody has promoted by hand.
  await leader.request('PATCH', '/config', { pause: true })
  await untilFiring('BountyClusterPaused')
  await wrong.query('select pg_promote()')
  await wrong.query('create table written_by_the_wrong_one (number int)')
  await leader.query('create table written_by_the_leader (number int)')
  await untilFiring('BountyClusterTwoLeaders', 'BountyClusterPaused')
  const { timeline = 0 } = await wrong.status()
  const history = `${hexadecimal(timeline)}.history`
  await untilTrue('the wrong leader archives', async () => (await readdir(archive.path)).includes(history))

  await wrong.kill()
  await rename(join(wrong.folder, 'data'), join(wrong.folder, 'data-of-the-wrong-one'))
  await leader.request('PATCH', '/config', { pause: null })
  await wrong.restart()
  await untilFiring()
  await cluster.healthy()
  expect(await wrong.query(`select tablename from pg_tables where tablename like 'written_by%'`)).toEqual([
    { tablename: 'written_by_the_leader' },
  ])
  await expectNextTimelineArchived()
}, 300_000)

/** A timeline as the names of files have it. */
const hexadecimal = (timeline: number) => timeline.toString(16).toUpperCase().padStart(8, '0')

/** Does what the manual says about the files that the wrong leader has archived, and hands over. */
async function expectNextTimelineArchived(): Promise<void> {
  const { timeline = 0 } = await (await cluster.untilLeader()).status()
  const next = hexadecimal(timeline + 1)
  const ofWrongLeader = (await readdir(archive.path)).filter((name) => name.startsWith(next))
  expect(ofWrongLeader).toContain(`${next}.history`)
  for (const name of ofWrongLeader) await rm(join(archive.path, name))
  await cluster.switchover()
  await cluster.healthy()
  const segment = await writeSegment()
  expect(segment.name.slice(0, 8)).toBe(next)
  await segment.end()
  await untilTrue('the segment is archived', async () => (await readdir(archive.path)).includes(segment.name))
  await untilFiring()
}

test("the exporter's password is in no log and no process title, also if it is wrong", async () => {
  const wrong = `${password}wrong`
  const node = cluster.nodes[0] as ClusterNode
  const exporter = await startExporter(node, { name: 'exporter-with-wrong-password', password: wrong })
  expect(await exporter.metrics()).toContain('pg_up 0')
  const folder = dirname(node.folder)
  const folders = (await readdir(folder)).map((name) => join(folder, name))
  const files = (await Promise.all(folders.map(filesIn))).flat()
  const logs = files.filter((file) => file.endsWith('.log'))
  const titles = (await readdir('/proc')).map((name) => `/proc/${name}/cmdline`)
  const texts = await Promise.all([...logs, ...titles].map((path) => readFile(path, 'utf8').catch(() => '')))
  expect(texts.join()).toContain('PASSWORD_REMOVED')
  expect(texts.filter((text) => text.includes(password))).toEqual([])
})

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => join(folder, name))
}

test('a missing standby warns, a leader alone is asynchronous, and no leader pages', async () => {
  const leader = await cluster.untilLeader()
  const [first, second] = await standbys()
  await first?.kill()
  await untilFiring('BountyClusterStandbyMissing')
  await second?.kill()
  await untilFiring('BountyClusterStandbyMissing', 'BountyClusterAsynchronous')
  await leader.kill()
  await untilFiring('BountyClusterLeaderless', 'BountyClusterStandbyMissing', 'BountyClusterAsynchronous')
})

test('each alert has fired', async () => {
  expect([...seen].sort()).toEqual((await alertNames()).sort())
})
