import { AsyncResource } from 'node:async_hooks'
import { type Budget, fetchOnce } from './client.ts'
import { RepositoryError } from './error.ts'

/**
 * Runs work that makes requests, for at most so many milliseconds; what it still has under way then is given up.
 *
 * @throws RepositoryError `unavailable` when the time is up, or what the work threw
 */
export async function withinBudget<T>(timeoutMs: number, work: (budget: Budget) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  const { signal } = controller
  // Waits inside the plugins do not see the signal; the caller's wait ends all the same.
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
