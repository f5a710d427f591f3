import { RequestError } from '@octokit/request-error'
import { RepositoryError } from './error.ts'

/** HTTP status of a failed request; `undefined` if there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof RequestError ? error.response?.status : undefined
}

/** The thing asked for does not exist. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && !isLogin(error)
}

/** Creating failed because the organization has a repository of that name. */
export function isNameTaken(error: unknown): boolean {
  if (!(error instanceof RequestError) || statusOf(error) !== 422) return false
  return /name already exists/i.test(error.message)
}

/** The request may or may not have had its effect. */
export function isUnknownOutcome(error: unknown): boolean {
  if (error instanceof RepositoryError) return error.kind === 'unavailable'
  if (isLogin(error)) return false
  const status = statusOf(error)
  return status === undefined ? error instanceof RequestError : status >= 500
}

/** Tells failures of the host apart; `undefined` for an error that is not the host's. */
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

/** An App exchanges its key for a token first; that failing says nothing about what was asked for. */
function isLogin(error: unknown): boolean {
  return error instanceof RequestError && /\/access_tokens$/.test(error.request.url)
}
