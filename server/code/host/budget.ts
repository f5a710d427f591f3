import { setMaxListeners } from 'node:events'
import { within } from '../../config/time-limit.ts'
import type { Budget } from './client.ts'
import { RepositoryError } from './error.ts'

/** More requests of one call are reported as a leak. */
const mostRequests = 100

/**
 * Runs work that makes requests, for at most `timeoutMs` milliseconds. Requests still running then are aborted.
 *
 * @throws RepositoryError `unavailable` when time is up, or what the work threw
 */
export async function withinBudget<T>(timeoutMs: number, work: (budget: Budget) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  // Each request listens to it until the end.
  setMaxListeners(mostRequests, signal)
  const budget = { signal, deadline: Date.now() + timeoutMs }
  try {
    // Waits inside the Octokit plugins ignore the signal.
    return await within(timeoutMs, work(budget), () => {
      throw new RepositoryError('unavailable')
    })
  } finally {
    controller.abort()
  }
}
