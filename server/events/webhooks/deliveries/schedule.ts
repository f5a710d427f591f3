import type { AttemptResult } from './endpoint.ts'

const minute = 60
const hour = 3600

/** Seconds between an attempt and the next one. After the last pause there is one more attempt. */
const pauses = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** A pause is longer than the schedule's by up to this part, so that a receiver that comes back is not flooded. */
const jitter = 0.1

/**
 * Seconds to wait after the `attempts`th attempt failed, or null if it was the last. A receiver may ask for more, never
 * for less.
 */
export function pauseAfter(attempts: number, retryAfterSeconds: number | null): number | null {
  const pause = pauses[attempts - 1]
  if (pause === undefined) return null
  return Math.max(pause * (1 + jitter * Math.random()), retryAfterSeconds ?? 0)
}

/** No failing webhook rests longer, in seconds, unless its receiver asks for it. */
const longestRest = hour
const shortestRest = 5

/**
 * Seconds for which a webhook gets no attempt after a round in which nothing arrived: as long as it has been failing. So
 * many deliveries try an endpoint that is down no more often than one.
 */
export function restAfter(
  failingSeconds: number,
  attempts: Pick<AttemptResult, 'retryAfterSeconds'>[],
): number {
  const asked = attempts.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 0)
  return Math.max(shortestRest, Math.min(failingSeconds, longestRest), ...asked)
}
