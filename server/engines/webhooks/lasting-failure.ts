import { sql } from 'kysely'
import type { AttemptResult } from './endpoint.ts'
import { restAfter } from './schedule.ts'

const hour = 3600
/** After so much time without a success the agent is warned. */
const warnedAfterSeconds = 96 * hour
/** After so much time without a success the webhook is disabled, if the warning is a day old. */
const disabledAfterSeconds = 120 * hour
const warningSeconds = disabledAfterSeconds - warnedAfterSeconds

/** When a failing row of `webhooks` is disabled at the earliest, if nothing arrives before. */
export const disabledFrom = sql<Date>`greatest(failing_since + make_interval(secs => ${sql.lit(disabledAfterSeconds)}),
  coalesce(warned_at, now()) + make_interval(secs => ${sql.lit(warningSeconds)}))`

/** How a webhook stands when a round ends. */
export interface Standing {
  /** How long nothing has arrived, in seconds; null if it works. */
  failingSeconds: number | null
  /** How long ago its agent was warned that it will be disabled, in seconds; null if it was not. */
  warnedSeconds: number | null
}

/** What follows for a webhook from the attempts of a round. */
export interface Consequences extends Pick<Standing, 'failingSeconds'> {
  /** How long it gets no attempt, unless somebody makes it due. */
  restSeconds: number
  /** Whether its agent is told that it will be disabled a day later. */
  isWarned: boolean
  disabledBecause: 'gone' | 'failing' | null
}

/** What follows from `attempts`. */
export function consequencesOf(
  attempts: Pick<AttemptResult, 'failure' | 'retryAfterSeconds'>[],
  { failingSeconds, warnedSeconds }: Standing,
): Consequences {
  const hasArrived = attempts.some(({ failure }) => failure === null)
  const disabledBecause = attempts.some(({ failure }) => failure === 'gone') ? 'gone' : null
  if (attempts.length === 0 || hasArrived)
    return {
      failingSeconds: hasArrived ? null : failingSeconds,
      restSeconds: 0,
      isWarned: false,
      disabledBecause,
    }
  const seconds = failingSeconds ?? 0
  const isOver = seconds >= disabledAfterSeconds && (warnedSeconds ?? 0) >= warningSeconds
  return {
    failingSeconds: seconds,
    restSeconds: restAfter(seconds, attempts),
    isWarned: seconds >= warnedAfterSeconds && warnedSeconds === null,
    disabledBecause: disabledBecause ?? (isOver ? 'failing' : null),
  }
}
