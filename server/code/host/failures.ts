import { RequestError } from '@octokit/request-error'
import type { z } from 'zod'
import { RepositoryError } from './error.ts'

/** HTTP status of a failed request; `undefined` if there was no response. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof RequestError ? error.response?.status : undefined
}

/** Turns "not found" into `undefined`; throws every other error again. */
export function undefinedIfMissing(error: unknown): undefined {
  if (statusOf(error) !== 404 || isLogin(error) || !isOfHost(error)) throw error
}

/** Checks a response body. A body that is not GitHub's, for example a proxy's page, leaves the outcome unknown. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new RepositoryError('unavailable')
  return parsed.data
}

/** Checks the status of a response whose body says nothing. Another one is not GitHub's, and leaves the outcome unknown. */
export function requireStatus(status: number, ...expected: number[]): number {
  if (!expected.includes(status)) throw new RepositoryError('unavailable')
  return status
}

/** Whether the host understood the request and does not allow it: by a rule, or because a permission is missing. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== 422 && status !== 403) return false
  const kind = toRepositoryError(error)?.kind
  return kind === 'rejected' || (kind === 'unauthorized' && !isLogin(error))
}

/** Whether creating failed because the organization has a repository of that name. */
export function isNameTaken(error: unknown): boolean {
  if (!(error instanceof RequestError) || statusOf(error) !== 422) return false
  return /name already exists/i.test(error.message)
}

/** Whether the request may have taken effect, because its response is lost, unreadable, or reports a server error. */
export function isUnknownOutcome(error: unknown): boolean {
  if (error instanceof RepositoryError) return error.kind === 'unavailable'
  if (isLogin(error)) return false
  return error instanceof RequestError && !isOfHost(error)
}

/** Classifies a failure of the host; `undefined` for an error that the host did not cause. */
export function toRepositoryError(error: unknown): RepositoryError | undefined {
  if (error instanceof RepositoryError) return error
  if (error instanceof Error && error.name === 'AbortError') return new RepositoryError('unavailable')
  if (!(error instanceof RequestError)) return undefined
  const status = statusOf(error)
  const limited = secondsLimited(error)
  if (limited !== undefined || !isOfHost(error)) return new RepositoryError('unavailable', limited)
  if (isLogin(error) && /suspended/i.test(error.message)) return new RepositoryError('suspended')
  if (status === 451 || /access blocked/i.test(error.message)) return new RepositoryError('blocked')
  if (/was archived/i.test(error.message)) return new RepositoryError('archived')
  if (isLogin(error) || status === 401 || status === 403) return new RepositoryError('unauthorized')
  return new RepositoryError(status === 404 ? 'not_found' : 'rejected')
}

const refusals = [400, 401, 403, 404, 405, 409, 410, 422, 429, 451]

/** Whether the host itself refuses, with a status and a body of its own. Everything else may be a proxy's before it, and leaves the outcome unknown. */
function isOfHost(error: unknown): boolean {
  if (!(error instanceof RequestError) || !error.response) return false
  const { status, data } = error.response
  return refusals.includes(status) && typeof data === 'object' && data !== null && 'message' in data
}

/** The host limits for an hour. One that names more than that, a proxy perhaps, does not stop this service for longer. */
export const longestLimit = 3600
/** What GitHub wants where it names no time. */
const usualLimit = 60

/**
 * Seconds for which the host wants no requests, at least 1, where it has refused one because there were too many; undefined for every
 * other error.
 */
export function secondsLimited(error: unknown): number | undefined {
  const status = statusOf(error)
  if (!(error instanceof RequestError) || (status !== 403 && status !== 429)) return undefined
  const { headers = {} } = error.response ?? {}
  const isUsedUp = headers['x-ratelimit-remaining'] === '0'
  const isLimit =
    status === 429 ||
    isUsedUp ||
    !!headers['retry-after'] ||
    /rate limit|abuse detection/i.test(error.message)
  if (!isLimit) return undefined
  const now = Date.parse(String(headers.date)) || Date.now()
  const untilReset = isUsedUp ? Number(headers['x-ratelimit-reset']) - now / 1000 : Number.NaN
  const { 'retry-after': after } = headers
  const untilDate = Number.isNaN(Number(after)) ? (Date.parse(String(after)) - now) / 1000 : Number.NaN
  const seconds = Math.ceil(Number(after) || untilDate || untilReset || usualLimit)
  return Math.min(Math.max(seconds, 1), longestLimit)
}

/** Whether the failed request was a GitHub App's exchange of its key for a token, which precedes the actual request. */
export function isLogin(error: unknown): boolean {
  return error instanceof RequestError && /\/access_tokens$/.test(error.request.url)
}
