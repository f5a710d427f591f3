import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { describeError } from '../../config/redact.ts'

/** Pause before the second try, in ms. Each following pause is twice as long, up to the longest. */
const firstPauseMs = 50
const longestPauseMs = 1000

/**
 * Stores the response of a key, or releases the key, by `update`. If that fails, it tries again in the background until
 * it succeeds or the lease ends: otherwise a finished run would block its key for the whole lease. Resolves after the
 * first try.
 */
export async function settleKey(
  update: () => Promise<unknown>,
  { leaseSeconds, log }: { leaseSeconds: number; log: Pick<FastifyBaseLogger, 'warn'> },
): Promise<void> {
  const end = performance.now() + leaseSeconds * 1000
  const tryOnce = () =>
    update().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
  const failure = await tryOnce()
  if (!failure) return
  log.warn(
    { error: describeError(failure.error) },
    'idempotency key not updated; trying again until its lease ends',
  )
  void tryAgain()

  async function tryAgain(): Promise<void> {
    let pause = firstPauseMs
    while (performance.now() + pause < end) {
      await delay(pause, undefined, { ref: false })
      if (!(await tryOnce())) return
      pause = Math.min(pause * 2, longestPauseMs)
    }
    log.warn('idempotency key not updated; its lease has ended, so a repeated request runs again')
  }
}
