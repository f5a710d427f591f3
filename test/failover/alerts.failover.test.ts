import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { until } from '../support/until.ts'
import { type Cluster, createArchive, startCluster } from './support/cluster.ts'
import { shipped } from './support/kit.ts'
import type { ClusterNode } from './support/node.ts'
import { startExporter } from './support/programs.ts'

/** Characters that an address needs escaped. */
const password = "pa ss':/@%25ü"
const rules = join(shipped, 'alerts.yaml')
let cluster: Cluster
let exporters: { metrics(): Promise<string> }[]
let archive: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bounty-marketplace-alerts-'))
  archive = await createArchive()
  cluster = await startCluster({ etcdMembers: 3, archive })
  const leader = await cluster.untilLeader()
  await leader.query('create role exporter login in role pg_monitor')
  await leader.query(`alter role exporter password '${password.replace("'", "''")}'`)
  exporters = await Promise.all(cluster.nodes.map((node) => startExporter(node, password)))
})
afterAll(async () => {
  await cluster?.close()
  await Promise.all([archive, folder].map((path) => rm(path, { recursive: true })))
})

/** The alerts that fire when the cluster reports for half an hour what it reports now. */
async function firing(): Promise<string[]> {
  const machines = [...cluster.nodes, ...cluster.etcd, ...exporters]
  const scrapes = await Promise.all(
    machines.map(async (machine, index) => {
      const text = await machine.metrics().catch(() => '')
      const samples = text.matchAll(/^((?:patroni|etcd_server|postgres_archive)_\w+) ?(?:\{(.*)\})? (\S+)$/gm)
      return [...samples].map(([, name, labels, value]) => ({
        series: `${name}{${labels ? `${labels},` : ''}instance="machine-${index}"}`,
        values: `${Number(value)}x120`,
      }))
    }),
  )
  const names: string[] = parse(await readFile(rules, 'utf8')).groups[0].rules.map(
    ({ alert }: { alert: string }) => alert,
  )
  // Expects that nothing fires: promtool then reports what does.
  const alert_rule_test = names.map((alertname) => ({ eval_time: '30m', alertname, exp_alerts: [] }))
  const tests = [{ interval: '15s', input_series: scrapes.flat(), alert_rule_test }]
  await writeFile(join(folder, 'tests.yaml'), stringify({ rule_files: [rules], tests }))
  const output: string = await promisify(execFile)('promtool', [
    'test',
    'rules',
    join(folder, 'tests.yaml'),
  ]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => stdout + stderr,
  )
  const fired = [...output.matchAll(/alertname: ?(\w+)/g)].map(([, name]) => name as string)
  if (fired.length === 0 && !output.includes('SUCCESS')) throw new Error(output)
  return names.filter((name) => fired.includes(name))
}

/** Waits until exactly these alerts would fire. */
async function untilFiring(...expected: string[]): Promise<void> {
  let last: string[] = []
  await until(async () => {
    last = await firing()
    return last.join() === expected.join()
  }).catch(() => expect(last).toEqual(expected))
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

test('an archive that refuses files pages until it is mended', { timeout: 300_000 }, async () => {
  const leader = await cluster.untilLeader()
  const endSegment = async () => {
    await leader.query('create table if not exists written as select 1 as one')
    await leader.query('select pg_switch_wal()')
  }
  await chmod(archive, 0o000)
  await endSegment()
  await untilFiring('BountyClusterArchiveBehind')
  await chmod(archive, 0o700)
  // Postgres tries again after a minute, or as soon as there is another segment.
  await leader.query('drop table written')
  await endSegment()
  await untilFiring()
})

test('two nodes that take writes page until the wrong one has returned as a standby', {
  timeout: 300_000,
}, async () => {
  const leader = await cluster.untilLeader()
  await cluster.healthy()
  const states = await Promise.all(
    (await standbys()).map(async (node) => ({ node, ...(await node.status()) })),
  )
  const wrong = states.find(({ sync_standby }) => !sync_standby)?.node as ClusterNode
  // While Patroni is paused it lets a node take writes that somebody has promoted by hand.
  await leader.request('PATCH', '/config', { pause: true })
  await untilFiring('BountyClusterPaused')
  await wrong.query('select pg_promote()')
  await wrong.query('create table written_by_the_wrong_one ()')
  await untilFiring('BountyClusterTwoLeaders', 'BountyClusterPaused')

  await wrong.kill()
  await rename(join(wrong.folder, 'data'), join(wrong.folder, 'data-of-the-wrong-one'))
  await leader.request('PATCH', '/config', { pause: null })
  await wrong.restart()
  await cluster.healthy()
  await untilFiring()
  expect(await wrong.query(`select from pg_tables where tablename = 'written_by_the_wrong_one'`)).toEqual([])
})

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
