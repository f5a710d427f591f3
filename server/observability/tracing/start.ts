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
import { followTraces } from './traces.ts'

/** A collector that does not answer must not keep a process from ending. */
const farewellMs = 5000

/** Traces of a running process. */
export interface Tracer {
  /** Adds a span for each request; to be called before any other hook is added. */
  instrument(app: FastifyInstance): void
  /** Sends what is left and ends. */
  stop(): Promise<void>
}

/** Starts telling requests, their statements and calls, and the way of payouts and activations as traces. */
export async function startTracing(
  tracing: Tracing,
  process: { version: string; rpcUrls: string[]; log: Logger },
): Promise<Tracer> {
  const { version, rpcUrls, log } = process
  const tell = (said: string) => log.warn({ reason: wordsOf(said) }, 'traces could not be sent')
  const silent = () => undefined
  diag.setLogger({ error: tell, warn: tell, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN)
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
  const stories = followTraces(tracer, ids)
  const ends = [traceStatements(stories), traceCalls(stories, rpcUrls), stories.stop]
  return {
    instrument: (app) => traceRequests(app, tracer),
    async stop() {
      for (const end of ends) end()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, farewellMs)
      })
      await Promise.race([provider.shutdown().catch((error) => tell(String(error))), late])
      clearTimeout(timer)
    },
  }
}

/** Only the exporter that is asked for is loaded. Endpoint, timeout and certificates it reads from its own variables. */
async function spanProcessor({ exporter, protocol, headers }: Tracing): Promise<SpanProcessor> {
  if (exporter === 'console') return new SimpleSpanProcessor(new ConsoleSpanExporter())
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new BatchSpanProcessor(new OTLPTraceExporter({ headers }))
}

/** The SDK writes errors as JSON, stack and all. */
function wordsOf(said: string): string {
  return /"message":"((?:[^"\\]|\\.)*)"/.exec(said)?.[1] ?? said.slice(0, 200)
}
