import { AsyncLocalStorage } from 'node:async_hooks'
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { LRUCache } from 'lru-cache'
import { type Step, stepChannel, workChannel } from '../../engines/events.ts'
import { type createIds, idsOf } from './ids.ts'

/** Most spans that one process adds to one trace: a payout may wait for days, and must not flood the collector. */
const spansPerTrace = 500
const tracesKept = 1000

/** What a process knows of the trace of one payout or activation. */
interface EntityTrace {
  /** Its first span, which another process may have started. */
  first: Span
  context: Context
  /** Time of its last step, in ms since the epoch. */
  steppedAt: number
  /** Spans that may still be added. */
  spansLeft: number
}

/** Makes the spans of statements and calls. */
export interface Traces {
  /**
   * Starts a span below the active one, or else in the trace of the payout or activation that the process is working on.
   * Undefined if there is neither: the process's own periodic work is not traced.
   */
  begin(name: string, options: SpanOptions): Span | undefined
  stop(): void
}

/**
 * Gives every payout and activation a trace of its own, since it outlives the request that asked for it and several
 * processes may work on it. Trace and request are linked in both directions.
 */
export function traceEntities(tracer: Tracer, ids: ReturnType<typeof createIds>): Traces {
  const entityIds = new AsyncLocalStorage<string>()
  const { traceOf, inTrace } = createEntityTraces(tracer, ids)

  function onStep(message: unknown): void {
    const { step, entityId = null } = message as { step: Step; entityId: string | null }
    const id = entityId ?? entityIds.getStore()
    if (id === undefined || id === null) return
    const request = trace.getActiveSpan()
    if (request) {
      request.addEvent(step, { [entityName]: id })
      if (step === 'intent stored') linkTraces(request, traceOf(id).first)
      return
    }
    const entityTrace = traceOf(id)
    const startTime = entityTrace.steppedAt
    entityTrace.steppedAt = Date.now()
    inTrace(id, step, { startTime })?.end(entityTrace.steppedAt)
  }

  subscribe(stepChannel, onStep)
  const works = channel(workChannel)
  works.bindStore(entityIds, (work) => (work as { entityId: string }).entityId)
  return {
    begin(name, options) {
      if (trace.getActiveSpan()) return tracer.startSpan(name, options)
      const entityId = entityIds.getStore()
      return entityId === undefined ? undefined : inTrace(entityId, name, options)
    },
    stop() {
      unsubscribe(stepChannel, onStep)
      works.unbindStore(entityIds)
    },
  }
}

/** The traces that the process knows, by entity. */
function createEntityTraces(tracer: Tracer, ids: ReturnType<typeof createIds>) {
  const traces = new LRUCache<string, EntityTrace>({ max: tracesKept })

  function traceOf(entityId: string): EntityTrace {
    const known = traces.get(entityId)
    if (known) return known
    // Only the process that stored the intent ends this span and so exports it. Here it also decides about sampling.
    const first = ids.as(idsOf(entityId), () =>
      tracer.startSpan(
        kindOf(entityId),
        { root: true, attributes: { [entityName]: entityId } },
        ROOT_CONTEXT,
      ),
    )
    const context = trace.setSpanContext(ROOT_CONTEXT, { ...first.spanContext(), isRemote: true })
    const entityTrace = { first, context, steppedAt: Date.now(), spansLeft: spansPerTrace }
    traces.set(entityId, entityTrace)
    return entityTrace
  }

  function inTrace(entityId: string, name: string, options: SpanOptions): Span | undefined {
    const entityTrace = traceOf(entityId)
    if (entityTrace.spansLeft-- <= 0) return undefined
    return tracer.startSpan(
      name,
      { ...options, attributes: { ...options.attributes, [entityName]: entityId } },
      entityTrace.context,
    )
  }

  return { traceOf, inTrace }
}

/** Links a request and the trace of what it has asked for, in both directions. */
function linkTraces(request: Span, first: Span): void {
  request.addLink({ context: plain(first.spanContext()) })
  first.addLink({ context: plain(request.spanContext()) })
  if (first.isRecording()) first.end()
}

const entityName = 'bounty.entity_id'

function kindOf(entityId: string): string {
  return entityId.startsWith('proj_') ? 'activation' : 'payout'
}

function plain({ traceId, spanId, traceFlags }: SpanContext): SpanContext {
  return { traceId, spanId, traceFlags }
}
