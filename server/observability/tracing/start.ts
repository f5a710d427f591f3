import { randomUUID } from 'node:crypto'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Tracing } from '../../config/tracing.ts'
import { traceCalls } from './calls.ts'
import { createIds } from './ids.ts'
import { traceRequests } from './requests.ts'
import { traceStatements } from './statements.ts'
import { traceEntities } from './traces.ts'

/** Longest time that the end of a process waits for a silent collector. */
const shutdownMs = 5000

/** Traces of a running process. */
export interface Tracer {
  /** Adds a span for each request; has to be called before any other hook is added. */
  instrument(app: FastifyInstance): void
  /** Exports the remaining spans and ends. */
  stop(): Promise<void>
}

/** Starts to trace requests with their statements and calls, and payouts and activations. */
export async function startTracing(
  tracing: Tracing,
  process: { version: string; rpcUrls: string[]; log: Logger },
): Promise<Tracer> {
  const { version, rpcUrls, log } = process
  const warn = (text: string) =>
    log.warn({ reason: messageOf(text) }, 'traces could not be exported; they are dropped')
  const silent = () => undefined
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN)
  const ids = createIds()
  const provider = new NodeTracerProvider({
    idGenerator: ids,
    resource: resourceFromAttributes({
      'service.name': tracing.serviceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [await spanProcessor(tracing)],
  })
  provider.register()
  const tracer = provider.getTracer('bounty-marketplace', version)
  const traces = traceEntities(tracer, ids)
  const ends = [traceStatements(traces), traceCalls(traces, rpcUrls), traces.stop]
  return {
    instrument: (app) => traceRequests(app, tracer),
    async stop() {
      for (const end of ends) end()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, shutdownMs)
      })
      await Promise.race([provider.shutdown().catch((error) => warn(String(error))), late])
      clearTimeout(timer)
    },
  }
}

/** Loads only the exporter that is configured, which reads endpoint, timeout and certificates from its own variables. */
async function spanProcessor({ exporter, protocol, headers }: Tracing): Promise<SpanProcessor> {
  if (exporter === 'console') return new SimpleSpanProcessor(new ConsoleSpanExporter())
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new BatchSpanProcessor(new OTLPTraceExporter({ headers }))
}

/** The message of an error, which the SDK writes as JSON with its stack. */
function messageOf(text: string): string {
  return /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.slice(0, 200)
}
