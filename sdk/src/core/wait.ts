import { ApiError, ConnectionError } from './errors.ts'
import { pause } from './retry.ts'

/** Limits of a wait. */
export interface WaitLimits {
  /** Ends the wait after this many ms; the work goes on. Default: 300,000. */
  waitMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** The service is unavailable for now. The work continues once it is back. */
const passing: readonly string[] = ['idempotency_in_progress', 'overloaded', 'unavailable']

/**
 * Repeats `attempt` while it fails with one of `underWay` (the codes that say that the work goes on) or because the
 * service cannot be reached. After `waitMs` it rejects with the last error. Every attempt must send the same
 * Idempotency-Key.
 */
export async function untilSettled<Result>(
  attempt: () => Promise<Result>,
  underWay: readonly string[],
  { waitMs = 300_000, signal }: WaitLimits,
): Promise<Result> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const delayMs = delayAfter(error, underWay)
      if (delayMs === undefined || Date.now() + delayMs > deadline) throw error
      await pause(delayMs, signal)
    }
  }
}

function delayAfter(error: unknown, underWay: readonly string[]): number | undefined {
  const usual = 1_000 + Math.random() * 500
  if (error instanceof ConnectionError) return usual
  if (!(error instanceof ApiError)) return undefined
  return underWay.includes(error.code) || passing.includes(error.code)
    ? (error.retryAfterMs ?? usual)
    : undefined
}
