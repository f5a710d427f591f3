import { patience } from '../../faults/schedules/helpers.ts'
import type { Patch } from '../../faults/support/bundle.ts'
import type { World } from '../../faults/support/environment.ts'
import { openWorld } from '../../faults/support/world.ts'
import { databaseUrl } from '../../support/global-setup.ts'
import { type Cluster, type ClusterOptions, startCluster } from './cluster/cluster.ts'

/** A cluster and a world of the fault suite on it, with two servers behind HAProxy. */
export interface ClusterWorld {
  cluster: Cluster
  world: World
  close(): Promise<void>
}

/** How the servers find the database: through HAProxy, or by an address that names all nodes. */
export type Way = 'HAProxy' | 'all nodes'

/** A failover takes half a minute, and a node that comes back another one. */
const patienceMs = 150_000

/**
 * Starts both. The servers read from the replicas, too.
 * @param patches what the servers have switched off
 */
export async function openClusterWorld(
  options: ClusterOptions,
  way: Way = 'HAProxy',
  patches: Patch[] = [],
): Promise<ClusterWorld> {
  const cluster = await startCluster(options)
  patience.ms = patienceMs
  const addresses = way === 'HAProxy' ? throughProxy(cluster) : ofAllNodes(cluster)
  try {
    const world = await openWorld(cluster.primaryUrl, {
      patches,
      patienceMs,
      deployment: {
        ports: cluster.serverPorts,
        front: cluster.serviceUrl,
        settings: (database) => ({
          ...addresses(database),
          // What the clients do in minutes would displace all else from what is kept of the logs.
          LOG_LEVEL: 'warn',
        }),
      },
    })
    return {
      cluster,
      world,
      async close() {
        await world.close()
        await cluster.close()
      },
    }
  } catch (error) {
    await cluster.close()
    throw error
  }
}

type Addresses = (database: string) => Record<string, string>

function throughProxy({ primaryUrl, replicaUrl }: Cluster): Addresses {
  return (database) => ({
    DATABASE_URL: databaseUrl(primaryUrl, database),
    DATABASE_REPLICA_URL: databaseUrl(replicaUrl, database),
  })
}

/** In libpq's syntax, so that each connection looks for the right node by itself. */
function ofAllNodes({ nodes, primaryUrl }: Cluster): Addresses {
  const { username, password } = new URL(primaryUrl)
  const hosts = nodes.map(({ postgresPort }) => `127.0.0.1:${postgresPort}`).join()
  const address = (database: string, target: string) =>
    `postgres://${username}:${password}@${hosts}/${database}?target_session_attrs=${target}`
  return (database) => ({
    DATABASE_URL: address(database, 'read-write'),
    DATABASE_REPLICA_URL: address(database, 'prefer-standby'),
  })
}
