import { ApiError } from './errors.ts'
import { pause } from './retry.ts'

/** How long a wait may last, and how it can be given up. */
export interface WaitLimits {
  /** Ends the wait after so many ms; what was begun goes on. Default: 300,000. */
  waitMs?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Repeats `attempt` while it fails with a code that says that the work is still under way, until `waitMs` have passed;
 * then rejects with the last of these errors.
 */
export async function untilSettled<Result>(
  attempt: () => Promise<Result>,
  isUnderWay: (error: ApiError) => boolean,
  { waitMs = 300_000, signal }: WaitLimits,
): Promise<Result> {
  const deadline = Date.now() + waitMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ApiError) || !isUnderWay(error)) throw error
      const delayMs = error.retryAfterMs ?? 1_000 + Math.random() * 500
      if (Date.now() + delayMs > deadline) throw error
      await pause(delayMs, signal)
    }
  }
}
