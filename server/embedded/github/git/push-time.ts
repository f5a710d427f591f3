import type { PushLimits } from './push-rules.ts'

/**
 * How long git works for the pushes of accounts. A pack of some kB can be unpacked for hours and sent again within a second, so an account of which a
 * push took too long pauses.
 */
export function limitPushTime({ timeMs, promptMs, pauseMs }: PushLimits) {
  const pauseEnds = new Map<string, number>()
  return {
    /** Whether a push has to end now. Begins the pause of its account if so. */
    isOver(login: string, tookMs: number, isAwaited: () => boolean): boolean {
      const isOver = tookMs > timeMs || (tookMs > promptMs && isAwaited())
      if (isOver) pauseEnds.set(login, performance.now() + pauseMs)
      return isOver
    },

    /** Seconds that are left of the account's pause; 0 if it has none. */
    pauseOf(login: string): number {
      const left = (pauseEnds.get(login) ?? 0) - performance.now()
      if (left <= 0) pauseEnds.delete(login)
      return Math.max(0, Math.ceil(left / 1000))
    },
  }
}
