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

/** Pauses between two reads of something that the chain confirms. */
const chainPauses = { firstMs: 1_000, longestMs: 1_000 }

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

/** Pauses between reads, in ms: each is half as long again as the one before. */
interface Pauses {
  firstMs: number
  longestMs: number
}

/**
 * Reads until `isOver`, or until the next read would come after `waitMs`. Resolves with what was read last.
 * @param first what was read before the call
 */
export async function pollUntil<Response>(
  first: Response,
  read: () => Promise<Response>,
  isOver: (response: Response) => boolean,
  { waitMs = 300_000, signal, pauses }: WaitLimits & { pauses: Pauses },
): Promise<Response> {
  const deadline = Date.now() + waitMs
  let response = first
  for (let pauseMs = pauses.firstMs; !isOver(response); pauseMs = Math.min(pauseMs * 1.5, pauses.longestMs)) {
    if (Date.now() + pauseMs > deadline) break
    await pause(pauseMs, signal)
    response = await untilSettled(read, [], { waitMs: deadline - Date.now(), signal })
  }
  return response
}

/** Pauses between two looks at a list. */
const listPauses = { firstMs: 1_000, longestMs: 15_000 }

/** Looks again and again, every few seconds, until `find` finds something or `signal` aborts. */
export async function untilFound<Item>(
  find: () => Promise<Item | undefined>,
  signal: AbortSignal | undefined,
): Promise<Item> {
  const limits = { waitMs: Number.POSITIVE_INFINITY, signal, pauses: listPauses }
  return (await pollUntil(await find(), find, (found) => found !== undefined, limits)) as Item
}

/**
 * Reads the state of a withdrawal or an allowance until it is confirmed.
 * @throws NotConfirmedError if it failed, or is not confirmed after `waitMs`
 */
export async function untilConfirmed<Response>(
  started: Response,
  read: () => Promise<Response>,
  stateOf: (response: Response) => RelayState,
  limits: WaitLimits,
): Promise<Response> {
  const isOver = (response: Response) => ['confirmed', 'failed'].includes(stateOf(response).status)
  const response = await pollUntil(started, read, isOver, { ...limits, pauses: chainPauses })
  if (stateOf(response).status !== 'confirmed') throw new NotConfirmedError(stateOf(response))
  return response
}

function delayAfter(error: unknown, underWay: readonly string[]): number | undefined {
  const usual = 1_000 + Math.random() * 500
  if (error instanceof ConnectionError) return usual
  if (!(error instanceof ApiError)) return undefined
  return underWay.includes(error.code) || passing.includes(error.code)
    ? (error.retryAfterMs ?? usual)
    : undefined
}
