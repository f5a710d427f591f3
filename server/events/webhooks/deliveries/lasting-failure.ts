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

/** What disabling sets. Deliveries are stored as before and wait, so one that is enabled again has missed nothing. */
export const disabled = (because: 'owner' | 'gone' | 'failing') => ({
  disabled_at: sql<Date>`clock_timestamp()`,
  disabled_because: because,
  due_at: null,
})

/** How a webhook stands when a round ends. */
export interface Standing {
  /** How long nothing has arrived, in seconds; null if it works. */
  failingSeconds: number | null
  /** How long ago its agent was warned that it will be disabled, in seconds; null if it was not. */
  warnedSeconds: number | null
}

/** What follows for a webhook from the attempts of a round; it rests unless somebody makes it due. */
export type Consequences = ReturnType<typeof consequencesOf>

/** What follows from `attempts`. */
export function consequencesOf(
  attempts: Pick<AttemptResult, 'failure' | 'retryAfterSeconds'>[],
  { failingSeconds, warnedSeconds }: Standing,
) {
  const hasArrived = attempts.some(({ failure }) => failure === null)
  const hasFailed = attempts.length > 0 && !hasArrived
  const seconds = hasFailed ? (failingSeconds ?? 0) : 0
  const isOver = seconds >= disabledAfterSeconds && (warnedSeconds ?? 0) >= warningSeconds
  const isGone = attempts.some(({ failure }) => failure === 'gone')
  return {
    failingSeconds: hasArrived ? null : hasFailed ? seconds : failingSeconds,
    restSeconds: hasFailed ? restAfter(seconds, attempts) : 0,
    isWarned: seconds >= warnedAfterSeconds && warnedSeconds === null,
    disabledBecause: isGone ? ('gone' as const) : isOver ? ('failing' as const) : null,
  }
}
