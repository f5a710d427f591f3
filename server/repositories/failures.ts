import { RequestError } from '@octokit/request-error'
import type { z } from 'zod'
import { RepositoryError } from './error.ts'

/** HTTP status of a failed request; `undefined` if there was no response. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof RequestError ? error.response?.status : undefined
}

/** Turns "not found" into `undefined`; throws every other error again. */
export function undefinedIfMissing(error: unknown): undefined {
  if (statusOf(error) !== 404 || isLogin(error)) throw error
}

/** Checks a response body. A body that is not GitHub's, for example a proxy's page, leaves the outcome unknown. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new RepositoryError('unavailable')
  return parsed.data
}

/** Whether the host understood the request and does not allow it: by a rule, or because a permission is missing. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof RequestError) || isLogin(error)) return false
  return statusOf(error) === 422 || (statusOf(error) === 403 && !isRateLimit(error))
}

/** Whether creating failed because the organization has a repository of that name. */
export function isNameTaken(error: unknown): boolean {
  if (!(error instanceof RequestError) || statusOf(error) !== 422) return false
  return /name already exists/i.test(error.message)
}

/** Whether the request may have taken effect, because its response is lost or reports a server error. */
export function isUnknownOutcome(error: unknown): boolean {
  if (error instanceof RepositoryError) return error.kind === 'unavailable'
  if (isLogin(error)) return false
  const status = statusOf(error)
  return status === undefined ? error instanceof RequestError : status >= 500
}

/** Classifies a failure of the host; `undefined` for an error that the host did not cause. */
export function toRepositoryError(error: unknown): RepositoryError | undefined {
  if (error instanceof RepositoryError) return error
  if (error instanceof Error && error.name === 'AbortError') return new RepositoryError('unavailable')
  if (!(error instanceof RequestError)) return undefined
  const status = statusOf(error)
  if (status === undefined || status >= 500 || status === 429 || status < 400)
    return new RepositoryError('unavailable')
  if (isLogin(error) || status === 401) return new RepositoryError('unauthorized')
  if (status === 403) return new RepositoryError(isRateLimit(error) ? 'unavailable' : 'unauthorized')
  return new RepositoryError(status === 404 ? 'not_found' : 'rejected')
}

function isRateLimit(error: RequestError): boolean {
  const headers = error.response?.headers
  return (
    /rate limit/i.test(error.message) ||
    headers?.['x-ratelimit-remaining'] === '0' ||
    !!headers?.['retry-after']
  )
}

/** Whether the failed request was a GitHub App's exchange of its key for a token, which precedes the actual request. */
function isLogin(error: unknown): boolean {
  return error instanceof RequestError && /\/access_tokens$/.test(error.request.url)
}
