import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { until } from '../../support/until.ts'
import type { Cluster } from './cluster.ts'
import type { ClusterNode } from './node.ts'

/** What a fault leaves behind. */
export interface Struck {
  /** Resolves with the moment at which writes are possible again, by the monotonic clock. */
  over: Promise<number>
  /** Repairs what is broken; resolves when the cluster is whole, with what was wrong. */
  repair(): Promise<string[]>
}

/** Something that happens to the cluster while a payout is at a named step. */
export interface Fault {
  name: string
  strike(cluster: Cluster): Promise<Struck>
}

/** The whole node of the leader is gone. */
export const leaderKilled = ofLeader('the leader is killed', {
  strike: (leader) => leader.kill(),
  repair: (leader) => leader.restart(),
})

export const postgresKilled = ofLeader("the leader's Postgres is killed", {
  strike: (leader) => leader.killPostgres(),
})

/** It still believes to lead when it wakes. */
export const leaderPaused = ofLeader('the leader is paused until another one leads', {
  strike: (leader) => leader.pause(),
  repair: (leader) => leader.resume(),
})

/** When it wakes, it acts on what it has read about the lead before. */
export const leaderPausedAsLeader = ofLeader('the leader is paused while it renews its lead', {
  strike: (leader) => leader.pauseAsLeader(),
  repair: (leader) => leader.resume(),
})

export const switchedOver = ofLeader('an operator switches over', {
  strike: async (_, cluster) => void (await cluster.switchover()),
})

/** Without one of the standbys it must not go on in failsafe mode. */
export const leaderCutOffAlone = ofLeader('the leader reaches neither etcd nor a standby', {
  async strike(leader, cluster) {
    await cluster.nodes.find((node) => node !== leader)?.kill()
    await cluster.healthy(1)
    leader.cutFromEtcd()
  },
  async repair(leader, cluster) {
    leader.reconnect()
    for (const node of cluster.nodes) if (!(await isRunning(node))) await node.restart()
  },
})

const cutOffMs = 25_000

/** For longer than the leader's key lasts. In failsafe mode the leader goes on while it reaches the other nodes. */
export const leaderCutOff: Fault = {
  name: 'the leader is cut off from etcd',
  async strike(cluster) {
    const leader = await cluster.untilLeader()
    leader.cutFromEtcd()
    return {
      over: Promise.resolve(performance.now()),
      async repair() {
        await delay(cutOffMs)
        const problems = (await leader.isPrimary()) ? [] : [`${leader.name} did not go on without etcd`]
        leader.reconnect()
        await cluster.healthy()
        return problems
      },
    }
  },
}

const isRunning = (node: ClusterNode) =>
  node.status().then(
    () => true,
    () => false,
  )

/** A fault that makes another node the leader. Whoever still has a session on the former one gets nothing acknowledged. */
function ofLeader(
  name: string,
  how: {
    strike(leader: ClusterNode, cluster: Cluster): Promise<void>
    repair?(leader: ClusterNode, cluster: Cluster): Promise<void>
  },
): Fault {
  return {
    name,
    async strike(cluster) {
      const leader = await cluster.untilLeader()
      const session = new pg.Client({ connectionString: leader.url })
      session.on('error', () => undefined)
      await session.connect()
      const over = anotherLeads(cluster, leader)
      await how.strike(leader, cluster)
      return {
        over,
        async repair() {
          await over
          const isAcknowledged = session.query('create table if not exists of_former_leader ()').then(
            () => true,
            () => false,
          )
          await how.repair?.(leader, cluster)
          await cluster.healthy()
          return (await isAcknowledged) ? [`${leader.name} acknowledged a write when another node led`] : []
        },
      }
    },
  }
}

/** The moment at which another node says that it leads. */
async function anotherLeads({ nodes }: Cluster, former: ClusterNode): Promise<number> {
  let at: number | undefined
  await Promise.all(
    nodes
      .filter((node) => node !== former)
      // Each is asked by itself: one that is frozen must not delay what another one says.
      .map((node) =>
        until(async () => {
          if (at === undefined && (await node.isPrimary())) at ??= performance.now()
          return at !== undefined
        }),
      ),
  )
  return at as number
}
