import { ApiError, ConnectionError } from './errors.ts'

const firstDelayMs = 500
const longestDelayMs = 8_000
/** How long a `Retry-After` a call follows by itself. */
const longestWaitMs = 60_000
/** The service goes on after it has returned one of these. */
const unconfirmed: readonly ApiError['code'][] = ['payout_unconfirmed', 'activation_unconfirmed']

/**
 * How long to wait before repeating a request that failed with `error`, in ms, or `undefined` if it must not be
 * repeated. Assumes that the request is safe to repeat: a GET, or a write with an Idempotency-Key.
 * @param longestMs how long a `Retry-After` may be, in ms; if it is longer, the error goes to the caller
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  longestMs: number = longestWaitMs,
): number | undefined {
  if (!mayRepeat(error)) return undefined
  if (error instanceof ApiError && error.retryAfterMs !== undefined)
    return error.retryAfterMs <= longestMs ? error.retryAfterMs + Math.random() * 250 : undefined
  const ceiling = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs)
  return ceiling / 2 + (Math.random() * ceiling) / 2
}

function mayRepeat(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  if (!(error instanceof ApiError)) return false
  // A conflict is final, except this one: an earlier attempt of the same request is still running.
  if (error.status === 409) return error.code === 'idempotency_in_progress'
  // The service has waited already and goes on by itself; waiting longer is the caller's choice.
  if (unconfirmed.includes(error.code)) return false
  return error.retryable
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    function abort() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** `Retry-After`, which is seconds or a date, in ms from now. */
export function parseRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}
