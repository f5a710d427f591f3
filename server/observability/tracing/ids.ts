import { createHash } from 'node:crypto'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-node'

/** Ids of one span. */
export interface SpanIds {
  traceId: string
  spanId: string
}

/**
 * Ids of the first span in the trace of `entityId`: the same in every process and after every restart, so that what
 * several processes do for one payout stands in one trace, and whoever knows the payout knows its trace.
 */
export function idsOf(entityId: string): SpanIds {
  const digest = createHash('sha256').update(entityId).digest('hex')
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
}

/** Random ids, except for a span that is started `as` ids given. */
export function createIds(): IdGenerator & { as<Result>(ids: SpanIds, start: () => Result): Result } {
  const random = new RandomIdGenerator()
  let given: SpanIds | undefined
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    as(ids, start) {
      given = ids
      try {
        return start()
      } finally {
        given = undefined
      }
    },
  }
}
