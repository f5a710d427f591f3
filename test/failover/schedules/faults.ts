import { setTimeout as delay } from 'node:timers/promises'
import type { Fleet } from '../../faults/support/fleet.ts'
import type { Cluster } from '../support/cluster/cluster.ts'
import type { ClusterNode } from '../support/cluster/node.ts'

/** What a fault acts on. */
export interface Target {
  cluster: Cluster
  fleet: Fleet
}

/** What a fault leaves behind. */
export interface Struck {
  /** Resolves with the moment at which writes are possible again, by the monotonic clock. */
  over: Promise<number>
  /** Repairs what is broken; resolves when the cluster is whole. */
  repair(): Promise<void>
}

/** Something that happens to a part of the deployment at a named step. */
export interface Fault {
  name: string
  /** What happens to the process that has reached the step: it is stopped while the fault strikes, or this is the fault. */
  action: 'stop' | 'kill'
  strike(target: Target): Promise<Struck>
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

/** A server ends at the step; the other one serves on. */
export const serverKilled: Fault = {
  name: 'a server is killed',
  action: 'kill',
  strike: async () => ({ over: Promise.resolve(performance.now()), repair: async () => undefined }),
}

export const proxyKilled: Fault = {
  name: 'HAProxy is killed',
  action: 'stop',
  async strike({ cluster }) {
    await cluster.haproxy.kill()
    return { over: cluster.haproxy.running().then(() => performance.now()), repair: async () => undefined }
  },
}

/** Without failsafe mode the leader gives up when it cannot renew its key. */
export const leaderCutOffAndReplaced = ofLeader('the leader is cut off from etcd and replaced', {
  strike: async (leader) => leader.cutFromEtcd(),
  repair: async (leader) => leader.reconnect(),
})

/** For longer than the leader's key lasts. In failsafe mode the leader goes on while it reaches the other nodes. */
export const leaderCutOff: Fault = {
  name: 'the leader is cut off from etcd',
  action: 'stop',
  async strike({ cluster }) {
    const leader = await cluster.untilLeader()
    leader.cutFromEtcd()
    return {
      over: Promise.resolve(performance.now()),
      async repair() {
        await delay(cutOffMs)
        leader.reconnect()
        await cluster.healthy()
      },
    }
  },
}

const cutOffMs = 25_000

function ofLeader(
  name: string,
  how: {
    strike(leader: ClusterNode, cluster: Cluster): Promise<void>
    repair?(leader: ClusterNode): Promise<void>
  },
): Fault {
  return {
    name,
    action: 'stop',
    async strike({ cluster }) {
      const leader = await cluster.untilLeader()
      // A switchover ends when another node leads.
      const over = anotherLeads(cluster, leader)
      await how.strike(leader, cluster)
      return {
        over,
        async repair() {
          await how.repair?.(leader)
          await cluster.healthy()
        },
      }
    },
  }
}

/** The moment at which another node says that it leads. */
export async function anotherLeads({ nodes }: Cluster, former: ClusterNode): Promise<number> {
  let at: number | undefined
  await Promise.all(
    nodes
      .filter((node) => node !== former)
      .map(async (node) => {
        // Each is asked by itself: one that is frozen must not delay what another one says.
        while (at === undefined)
          if (await node.isPrimary()) at ??= performance.now()
          else await delay(20)
      }),
  )
  return at as number
}
