import { AsyncResource } from 'node:async_hooks'
import { type Budget, fetchOnce } from './client.ts'
import { RepositoryError } from './error.ts'

/**
 * Runs work that makes requests, for at most `timeoutMs` milliseconds. Requests still running then are aborted.
 *
 * @throws RepositoryError `unavailable` when time is up, or what the work threw
 */
export async function withinBudget<T>(timeoutMs: number, work: (budget: Budget) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  const { signal } = controller
  // Waits inside the Octokit plugins ignore the signal, so the caller stops waiting by this promise.
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new RepositoryError('unavailable')), { once: true })
  })
  try {
    return await Promise.race([
      work({ signal, deadline: Date.now() + timeoutMs, fetch: AsyncResource.bind(fetchOnce) }),
      timedOut,
    ])
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}
