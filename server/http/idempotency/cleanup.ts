import type { FastifyInstance } from 'fastify'
import { describeError } from '../access-log.ts'

const everyMinutes = 10

/** Runs `chores` now and then while the app is open; a chore that fails is logged and tried again next time. */
export function scheduleCleanup(app: FastifyInstance, chores: (() => Promise<void>)[]): void {
  const timer = setInterval(async () => {
    const results = await Promise.allSettled(chores.map((chore) => chore()))
    for (const result of results)
      if (result.status === 'rejected')
        app.log.warn({ error: describeError(result.reason) }, 'housekeeping failed')
  }, everyMinutes * 60_000)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
