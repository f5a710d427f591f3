import type pg from 'pg'
import { nodeErrorText } from '../config/node-error-text.ts'
import type { Connections } from '../startup/compose.ts'
import type { Metrics } from './metrics.ts'
import { readChain } from './read-chain.ts'
import { readDatabase } from './read-database.ts'

/** Scrapes within this time share one reading, however many servers scrape. */
const readEveryMs = 5000

/** Returns what brings the metrics up to date and writes them out, for Prometheus. */
export function createScrape(
  { connections, pool }: { connections: Connections; pool: pg.Pool },
  metrics: Metrics,
): () => Promise<{ type: string; text: string }> {
  const { db, chain, config, log } = connections
  const from = (source: string, read: () => Promise<void>) =>
    read().catch((error) => {
      metrics.readFailures.inc({ source })
      log.warn(
        { source, reason: nodeErrorText(error) },
        'metrics could not be read; they keep their last values',
      )
    })
  let reading: Promise<unknown> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (!reading || performance.now() - readAt > readEveryMs) {
      readAt = performance.now()
      reading = Promise.all([
        from('database', () => readDatabase(db, metrics)),
        from('chain', () => readChain(chain, config.PAYOUTS_ENABLED, metrics)),
      ])
    }
    await reading
    metrics.pool.set({ state: 'idle' }, pool.idleCount)
    metrics.pool.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    metrics.poolWaiting.set(pool.waitingCount)
    return { type: metrics.registry.contentType, text: await metrics.registry.metrics() }
  }
}
