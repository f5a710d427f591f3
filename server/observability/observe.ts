import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import type { Logger } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import { type CallOutcome, callChannel } from '../code/host/repositories.ts'
import { type AttemptOutcome, attemptChannel } from '../events/webhooks/deliveries/round.ts'
import { type Alarm, alarmChannel } from '../loops/alarms.ts'
import { stepChannel } from '../loops/crash-steps.ts'
import { type RecognizedOutcome, recognizedChannel } from '../money/payouts/recognize/recognize.ts'
import type { Connections } from '../startup/compose.ts'
import { portProblem } from '../startup/ports.ts'
import { watchGasBalances } from './gas-balances.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createScrape } from './scrape.ts'
import { serveMetrics } from './serve.ts'

/** One response of the service. */
interface MeasuredResponse {
  /** Operation id; undefined where the request reached none. */
  operation: string | undefined
  status: number
  seconds: number
}

/** The observation of a running process. */
export interface Observed {
  version: string
  /** Port that serves the metrics, where one does. */
  metricsPort: number | undefined
  /** Counts a response and its duration. */
  onResponse(response: MeasuredResponse): void
  /** Counts a request to `operation` that was refused with `overloaded`. */
  onShed(operation: string): void
  stop(): Promise<void>
}

/**
 * Observes the process: logs every step of a payout or activation with its entity id, warns before a gas balance runs
 * out, and serves metrics if METRICS_PORT is set.
 * @throws ConfigError if that port cannot be used
 */
export async function observe(watched: {
  connections: Connections
  pool: pg.Pool
  embedded: { chain: unknown } | undefined
}): Promise<Observed> {
  const { config, log, chain } = watched.connections
  const metrics = createMetrics()
  metrics.info.set({ version: manifest.version }, 1)
  // First, because a port that cannot be used must leave nothing behind.
  const server =
    config.METRICS_PORT === undefined
      ? undefined
      : await serveMetrics(createScrape(watched, metrics), {
          host: config.HOST,
          port: config.METRICS_PORT,
        }).catch((error) => {
          throw portProblem(error, 'METRICS_PORT', config.METRICS_PORT ?? 0)
        })
  const stopCounting = countEvents(metrics, log)
  let stopWatching = () => {}
  let isStopped = false
  if (!watched.embedded?.chain)
    chain.whenReached((reached) => {
      if (!isStopped) stopWatching = watchGasBalances(reached, config, log)
    })
  return {
    version: manifest.version,
    metricsPort: server && (server.address() as AddressInfo).port,
    onResponse: ({ operation = 'none', status, seconds }) =>
      metrics.requests.observe({ operation, status }, seconds),
    onShed: (operation) => metrics.shed.inc({ operation }),
    async stop() {
      isStopped = true
      stopCounting()
      stopWatching()
      server?.closeAllConnections()
      await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
    },
  }
}

/** Counts what the engines and the client of the code host publish, and logs steps, until the returned function is called. */
function countEvents(metrics: Metrics, log: Logger): () => void {
  const listeners: Record<string, (message: unknown) => void> = {
    [stepChannel](message) {
      const { step, entityId } = message as { step: string; entityId: string | null }
      metrics.steps.inc({ step })
      if (entityId !== null) log.info({ step, entityId }, 'step')
    },
    [alarmChannel]: (message) => metrics.alarms.inc({ kind: (message as Alarm).kind }),
    [recognizedChannel]: (message) =>
      metrics.paymentsRecognized.inc(message as { outcome: RecognizedOutcome }),
    [attemptChannel]: (message) => metrics.webhookAttempts.inc({ ...(message as AttemptOutcome) }),
    [callChannel]: (message) => metrics.codeHostCalls.inc({ ...(message as CallOutcome) }),
  }
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener)
  }
}
