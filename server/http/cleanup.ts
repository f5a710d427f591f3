import type { FastifyInstance } from 'fastify'
import { describeError } from '../config/redact.ts'

const everyMinutes = 10

/** Runs `tasks` every few minutes while the app is open. A task that fails is logged and runs again next time. */
export function scheduleCleanup(app: FastifyInstance, tasks: (() => Promise<void>)[]): void {
  const timer = setInterval(async () => {
    const results = await Promise.allSettled(tasks.map((task) => task()))
    for (const result of results)
      if (result.status === 'rejected')
        app.log.warn({ error: describeError(result.reason) }, 'cleanup failed; it runs again in 10 minutes')
  }, everyMinutes * 60_000)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
