import { createHash } from 'node:crypto'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-node'

/** Ids of one span. */
export interface SpanIds {
  traceId: string
  spanId: string
}

/**
 * Ids of the first span in the trace of `entityId`. They do not change between processes and restarts, so all work for one
 * payout is in one trace, and the payout's id is enough to find it.
 */
export function idsOf(entityId: string): SpanIds {
  const digest = createHash('sha256').update(entityId).digest('hex')
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
}

/** Random ids, except for a span that is started with `as`, which gets the given ids. */
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
