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

/** Spans that one process adds to one story; a payout that waits for days must not flood anybody. */
const spansPerTrace = 500
const tracesKept = 1000

/** What a process knows of the way of one payout or activation. */
interface Story {
  /** Its first span, which another process may have started. */
  first: Span
  context: Context
  /** When it took the step before, in ms since the epoch. */
  steppedAt: number
  left: number
}

/** Where spans come from. */
export interface Traces {
  /**
   * A span below the one that is active, or in the story that the running work belongs to. Undefined where neither is
   * there: what the process does for itself, over and over, is no story.
   */
  begin(name: string, options: SpanOptions): Span | undefined
  stop(): void
}

/**
 * Tells the way of every payout and activation as a trace of its own, since it outlives the request that asked for it
 * and several processes may walk it. A request that waits for it is linked with it in both directions.
 */
export function followTraces(tracer: Tracer, ids: ReturnType<typeof createIds>): Traces {
  const stories = new LRUCache<string, Story>({ max: tracesKept })
  const entityIds = new AsyncLocalStorage<string>()

  function traceOf(entityId: string): Story {
    const known = stories.get(entityId)
    if (known) return known
    // Only the process that stored the intent ends this span, and so sends it; here it also tells whether it is sampled.
    const first = ids.as(idsOf(entityId), () =>
      tracer.startSpan(
        kindOf(entityId),
        { root: true, attributes: { [entityName]: entityId } },
        ROOT_CONTEXT,
      ),
    )
    const context = trace.setSpanContext(ROOT_CONTEXT, { ...first.spanContext(), isRemote: true })
    const story = { first, context, steppedAt: Date.now(), left: spansPerTrace }
    stories.set(entityId, story)
    return story
  }

  function inTrace(entityId: string, name: string, options: SpanOptions): Span | undefined {
    const story = traceOf(entityId)
    if (story.left-- <= 0) return undefined
    return tracer.startSpan(
      name,
      { ...options, attributes: { ...options.attributes, [entityName]: entityId } },
      story.context,
    )
  }

  function onStep(message: unknown): void {
    const { step, entityId = null } = message as { step: Step; entityId: string | null }
    const about = entityId ?? entityIds.getStore()
    if (about === undefined || about === null) return
    const request = trace.getActiveSpan()
    if (request) {
      connect(request, step, about)
      return
    }
    const story = traceOf(about)
    const startTime = story.steppedAt
    story.steppedAt = Date.now()
    inTrace(about, step, { startTime })?.end(story.steppedAt)
  }

  function connect(request: Span, step: Step, entityId: string): void {
    request.addEvent(step, { [entityName]: entityId })
    if (step !== 'intent stored') return
    const { first } = traceOf(entityId)
    request.addLink({ context: plain(first.spanContext()) })
    first.addLink({ context: plain(request.spanContext()) })
    if (first.isRecording()) first.end()
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

const entityName = 'bounty.entity_id'

function kindOf(entityId: string): string {
  return entityId.startsWith('proj_') ? 'activation' : 'payout'
}

function plain({ traceId, spanId, traceFlags }: SpanContext): SpanContext {
  return { traceId, spanId, traceFlags }
}
