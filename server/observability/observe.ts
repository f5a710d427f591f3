import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import manifest from '../../package.json' with { type: 'json' }
import { nodeErrorText } from '../chain/rpc-errors.ts'
import { tracingOf } from '../config/tracing.ts'
import { type Alarm, alarmChannel } from '../engines/alarms.ts'
import { stepChannel } from '../engines/events.ts'
import { type RecognizedOutcome, recognizedChannel } from '../engines/payouts/recognize/recognize.ts'
import type { Connections } from '../startup/compose.ts'
import { portProblem } from '../startup/ports.ts'
import { watchGas } from './gas-watch.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { readChain } from './read-chain.ts'
import { readDatabase } from './read-database.ts'
import { serveMetrics } from './serve.ts'

/** Scrapes within this time get the same reading, however many scrape. */
const readEveryMs = 5000

/** One answer of the service. */
export interface Answered {
  /** Operation id; undefined where the request reached none. */
  operation: string | undefined
  status: number
  seconds: number
}

/** What watches a running process. */
export interface Observed {
  version: string
  /** Port that serves the metrics, where one does. */
  metricsPort: number | undefined
  answered(answer: Answered): void
  /** A request to `operation` was answered `overloaded`. */
  shed(operation: string): void
  /** Adds a span for each request, where the settings ask for traces. */
  instrument(app: FastifyInstance): void
  stop(): Promise<void>
}

/**
 * Watches the process and what it works on: every step of every payout in the log under the id of its submission, a
 * warning before gas balance runs out, metrics where METRICS_PORT is set, and traces where a collector is named.
 * @throws ConfigError when that port cannot be used
 */
export async function observe(watched: {
  connections: Connections
  pool: pg.Pool
  embedded: { chain: unknown } | undefined
}): Promise<Observed> {
  const { config, log, chain } = watched.connections
  const metrics = createMetrics()
  metrics.info.set({ version: manifest.version }, 1)
  const onStep = (message: unknown) => {
    const { step, entityId } = message as { step: string; entityId: string | null }
    metrics.steps.inc({ step })
    if (entityId !== null) log.info({ step, entityId }, 'step')
  }
  const onAlarm = (message: unknown) => metrics.alarms.inc({ kind: (message as Alarm).kind })
  const onRecognized = (message: unknown) =>
    metrics.paymentsRecognized.inc(message as { outcome: RecognizedOutcome })
  subscribe(stepChannel, onStep)
  subscribe(alarmChannel, onAlarm)
  subscribe(recognizedChannel, onRecognized)
  watched.connections.reads?.replica?.watch((problem) => {
    if (problem === undefined) log.info('the replica answers public reads')
    else log.warn({ problem }, 'the replica does not answer public reads; the primary does')
  })
  const tracing = tracingOf(config)
  // Loaded by whoever wants traces alone.
  const tracer =
    tracing &&
    (await (
      await import('./tracing/start.ts')
    ).startTracing(tracing, {
      version: manifest.version,
      rpcUrls: config.CHAIN_RPC_URL ?? [],
      log,
    }))
  let stopGas = () => {}
  let isOver = false
  if (!watched.embedded?.chain)
    chain.whenReached((reached) => {
      if (!isOver) stopGas = watchGas(reached, config, log)
    })
  const server =
    config.METRICS_PORT === undefined
      ? undefined
      : await serveMetrics(reader(watched, metrics), {
          host: config.HOST,
          port: config.METRICS_PORT,
        }).catch((error) => {
          throw portProblem(error, 'METRICS_PORT', config.METRICS_PORT ?? 0)
        })
  return {
    version: manifest.version,
    metricsPort: server && (server.address() as AddressInfo).port,
    answered: ({ operation = 'none', status, seconds }) =>
      metrics.requests.observe({ operation, status }, seconds),
    shed: (operation) => metrics.shed.inc({ operation }),
    instrument: (app) => tracer?.instrument(app),
    async stop() {
      isOver = true
      unsubscribe(stepChannel, onStep)
      unsubscribe(alarmChannel, onAlarm)
      unsubscribe(recognizedChannel, onRecognized)
      stopGas()
      await tracer?.stop()
      server?.closeAllConnections()
      await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
    },
  }
}

function reader(
  { connections, pool }: { connections: Connections; pool: pg.Pool },
  metrics: Metrics,
): () => Promise<{ type: string; text: string }> {
  const { db, chain, config, log } = connections
  const from = (source: string, read: () => Promise<void>) =>
    read().catch((error) => {
      metrics.readFailures.inc({ source })
      log.warn({ source, reason: nodeErrorText(error) }, 'could not read metrics')
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
    metrics.replicaReads.reset()
    for (const [outcome, reads] of Object.entries(connections.reads?.replica?.outcomes ?? {}))
      metrics.replicaReads.inc({ outcome }, reads)
    return { type: metrics.registry.contentType, text: await metrics.registry.metrics() }
  }
}
