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
