import { ApiError, ConnectionError, TimeoutError } from './errors.ts'
import type { CallOptions } from './options.ts'
import { checkNumber, newIdempotencyKey } from './request.ts'

/*
 * The one policy of repeating and waiting. A call repeats by itself a few times (`maxRetries`); whatever waits, a helper or a
 * stream, goes on by `persist` until its time is over.
 */

/** Limits of a wait. */
export interface WaitLimits {
  /**
   * Limit of the whole wait, in ms. A request that is under way then is given up, but each has at least a second. The work at the
   * service goes on. Default: 300,000 where something is confirmed, else none.
   */
  waitMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** How long something that is confirmed is waited for, in ms. */
export const usualWaitMs = 300_000
const firstDelayMs = 500
const longestDelayMs = 8_000
/** How long a `Retry-After` a call follows by itself. */
const longestWaitMs = 60_000
/** How long a `Retry-After` a wait follows. */
const longestPauseMs = 24 * 3_600_000
/** What every attempt of a wait gets, also where `waitMs` is less: nobody knows anything before the first response. */
const graceMs = 1_000
/** A longer timer fires at once. */
const longestTimerMs = 2 ** 31 - 1
/** The service goes on after it has returned one of these. */
export const unconfirmed: readonly ApiError['code'][] = ['payout_unconfirmed', 'activation_unconfirmed']

/**
 * How long to wait before repeating a request that failed with `error`, in ms, or `undefined` if it must not be
 * repeated. Assumes that the request is safe to repeat: a GET, or a write with an Idempotency-Key.
 * @param longestMs how long a `Retry-After` may be, in ms; if it is longer, the error goes to the caller
 * @param underWay codes that are repeated as well
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  longestMs: number = longestWaitMs,
  underWay?: readonly string[],
): number | undefined {
  if (!mayRepeat(error, underWay)) return undefined
  if (error instanceof ApiError && error.retryAfterMs !== undefined)
    return error.retryAfterMs <= longestMs ? error.retryAfterMs + Math.random() * 250 : undefined
  return backoffMs(attempt)
}

/** A growing, jittered pause after so many failures, in ms. */
export function backoffMs(failures: number, longestMs: number = longestDelayMs): number {
  const ceiling = Math.min(firstDelayMs * 2 ** (failures - 1), longestMs)
  return ceiling / 2 + (Math.random() * ceiling) / 2
}

/** Whether a repetition may mend what `error` says. */
export function mayRepeat(error: unknown, underWay: readonly string[] = []): boolean {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError
  if (underWay.includes(error.code) || error.code === 'unexpected_response') return true
  // A conflict is final, except this one: an earlier attempt of the same request is still running.
  if (error.status === 409) return error.code === 'idempotency_in_progress'
  // The service has waited already and goes on by itself; waiting longer is the caller's choice.
  return error.retryable && !unconfirmed.includes(error.code)
}

/**
 * Repeats `attempt` with growing pauses while what it throws is retryable, or one of `underWay`: the codes that say that the work
 * goes on. Every attempt of a write must send the same Idempotency-Key.
 * @throws the last error once `waitMs` have passed, or at once what a repetition cannot mend
 */
export async function persist<Result>(
  attempt: (signal: AbortSignal) => Promise<Result>,
  { waitMs = Number.POSITIVE_INFINITY, signal }: WaitLimits,
  underWay?: readonly string[],
): Promise<Result> {
  const deadline = Date.now() + checkNumber('waitMs', waitMs)
  let last: unknown = new TimeoutError(`no response within ${waitMs} ms`)
  for (let attempts = 1; ; attempts++) {
    try {
      return await limited(Math.max(deadline - Date.now(), graceMs), signal, () => last, attempt)
    } catch (error) {
      last = error
      const delayMs = retryDelayMs(error, attempts, longestPauseMs, underWay)
      if (delayMs === undefined || signal?.aborted || Date.now() + delayMs > deadline) throw error
      await pause(delayMs, signal)
    }
  }
}

/** Repeats a write with one Idempotency-Key by {@link persist}, for `usualWaitMs` unless `options` say how long. */
export function persistWrite<Result>(
  write: (call: CallOptions) => Promise<Result>,
  options: CallOptions & WaitLimits,
  underWay: readonly string[],
): Promise<Result> {
  const { waitMs = usualWaitMs, signal, idempotencyKey = newIdempotencyKey(), ...call } = options
  return persist((inner) => write({ ...call, idempotencyKey, signal: inner }), { waitMs, signal }, underWay)
}

/**
 * Runs `work` with a signal that aborts after `ms`, with the reason that `late` makes, or as `outer` does. Then it rejects, even if
 * `work` goes on: a function of the caller's may hang. The timer holds the signal:
 * Node 20 collects `AbortSignal.any([AbortSignal.timeout(ms)])` as garbage, and it never fires.
 */
export async function limited<Result>(
  ms: number,
  outer: AbortSignal | undefined,
  late: () => unknown,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const inner = new AbortController()
  const cancel = () => inner.abort(outer?.reason)
  const timer = ms > longestTimerMs ? undefined : setTimeout(() => inner.abort(late()), ms)
  outer?.addEventListener('abort', cancel)
  const { signal } = inner
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  try {
    outer?.throwIfAborted()
    return await Promise.race([work(signal), aborted])
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', cancel)
  }
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const work = (inner: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      inner.addEventListener('abort', () => clearTimeout(timer))
    })
  return unlessAborted(signal, work)
}

/** What `work` resolves with; rejects with the signal's reason as soon as it aborts. */
export function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return limited(Number.POSITIVE_INFINITY, signal, () => undefined, work)
}

/** `Retry-After`, which is seconds or a date, in ms from now. */
export function parseRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}
