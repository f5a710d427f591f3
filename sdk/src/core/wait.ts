import { ApiError, ConnectionError, NotConfirmedError, type RelayState } from './errors.ts'
import { pause } from './retry.ts'

/** Limits of a wait. */
export interface WaitLimits {
  /** Ends the wait after this many ms; the work goes on. Default: 300,000. */
  waitMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** The service is unavailable for now. The work continues once it is back. */
const passing: readonly string[] = ['idempotency_in_progress', 'overloaded', 'unavailable']

/** Pause between two reads of something that the chain confirms, in ms. */
const betweenReadsMs = 1_000

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

/**
 * Reads the state of a withdrawal or an allowance until it is confirmed.
 * @throws NotConfirmedError if it failed, or is not confirmed after `waitMs`
 */
export async function untilConfirmed<Response>(
  started: Response,
  read: () => Promise<Response>,
  stateOf: (response: Response) => RelayState,
  { waitMs = 300_000, signal }: WaitLimits,
): Promise<Response> {
  const deadline = Date.now() + waitMs
  let response = started
  for (;;) {
    const state = stateOf(response)
    if (state.status === 'confirmed') return response
    if (state.status === 'failed' || Date.now() + betweenReadsMs > deadline)
      throw new NotConfirmedError(state)
    await pause(betweenReadsMs, signal)
    response = await untilSettled(read, [], { waitMs: deadline - Date.now(), signal })
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
