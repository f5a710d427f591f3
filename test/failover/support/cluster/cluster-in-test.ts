import { onTestFinished } from 'vitest'
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'

/** A synchronous cluster that ends with the test. */
export async function clusterInTest(options: Partial<ClusterOptions>): Promise<Cluster> {
  const cluster = await startCluster({ synchronous: true, ...options })
  onTestFinished(cluster.close)
  return cluster
}
