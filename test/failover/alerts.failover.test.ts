import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertNames, firingAlerts } from './support/alerts.ts'
import { type Cluster, startCluster } from './support/cluster/cluster.ts'
import type { ClusterNode } from './support/cluster/node.ts'
import { untilTrue } from './support/cluster/wait.ts'

let cluster: Cluster
const seen = new Set<string>()

beforeAll(async () => {
  cluster = await startCluster({ synchronous: true, etcdMembers: 3 })
})
afterAll(() => cluster?.close())

/** Waits until exactly these alerts would fire. */
async function untilFiring(...expected: string[]): Promise<void> {
  let firing: string[] = []
  await untilTrue(`these alerts fire: ${expected}`, async () => {
    firing = await firingAlerts(cluster)
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
