import { RequestError } from '@octokit/request-error'
import type { Octokit } from '@octokit/rest'
import { longestLimit, secondsLimited, statusOf } from './failures.ts'

/** What the code host lets this process request within an hour, as its latest response said. Hosts without a quota say nothing. */
export interface Quota {
  /**
   * Counts a reading that a request of the agent causes.
   * @param isDecision for approvals and merges, for which a share is kept when all else has to wait
   * @returns seconds to wait if there is none left for it; 0: it may be made now
   */
  spend(agentId: string, isDecision?: boolean): number
  /**
   * Seconds for which what nobody waits for has to pause: the quota is low, or the host limits requests.
   * @param isDecision for payments of what was merged, which are approvals
   */
  pause(isDecision?: boolean): number
}

/** The share of the quota that is kept for approvals and merges. */
const keptShare = 0.2
/** The share that the requests of one agent may use, and as much again its approvals and merges. */
const agentShare = 0.05
/** Requests of one reading: the pull request, a comparison with the default branch, its checks and statuses. Many checks take more. */
const requestsOfReading = 4

interface Window {
  limit: number
  remaining: number
  /** Seconds since the epoch, by the host's clock. */
  resetsAt: number
  /** The same by the clock of this process. */
  endsAtMs: number
}

/**
 * Follows the quota that the responses to this client report. Once the host refuses a request because there were too many, none is
 * sent until it wants them again: each one fails as that one did.
 */
export function followQuota({ hook }: Pick<Octokit, 'hook'>): { quota: Quota } {
  let window: Window | undefined
  let limitedUntilMs = 0
  const spent = new Map<string, number>()

  function note(headers: Record<string, unknown> = {}): void {
    const value = (name: string) => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN)
    const seen = { limit: value('limit'), remaining: value('remaining'), resetsAt: value('reset') }
    if (Object.values(seen).some(Number.isNaN) || (headers['x-ratelimit-resource'] ?? 'core') !== 'core')
      return
    if (seen.resetsAt > (window?.resetsAt ?? 0)) spent.clear()
    const now = Date.parse(String(headers.date)) || Date.now()
    // A host whose clock is wrong must not stop this service for longer than one whose clock is right.
    const left = Math.min(seen.resetsAt * 1000 - now, longestLimit * 1000)
    window = { ...seen, endsAtMs: performance.now() + left }
  }
  hook.wrap('request', async (request, options) => {
    const seconds = secondsTo(limitedUntilMs)
    if (seconds > 0) throw limited(options, seconds)
    try {
      const response = await request(options)
      note(response.headers)
      return response
    } catch (error) {
      // To refused credentials the host says what an anonymous caller has.
      if (error instanceof RequestError && statusOf(error) !== 401) note(error.response?.headers)
      limitedUntilMs = Math.max(limitedUntilMs, performance.now() + (secondsLimited(error) ?? 0) * 1000)
      throw error
    }
  })

  const secondsLeft = () => secondsTo(window?.endsAtMs ?? 0)
  const isLow = () => window !== undefined && window.remaining <= window.limit * keptShare

  const quota: Quota = {
    pause: (isDecision = false) =>
      Math.max(isLow() && !isDecision ? secondsLeft() : 0, secondsTo(limitedUntilMs)),
    spend(agentId, isDecision = false) {
      const seconds = secondsLeft()
      if (window === undefined || seconds === 0) return 0
      const key = `${agentId} ${isDecision}`
      const used = (spent.get(key) ?? 0) + requestsOfReading
      if (used > window.limit * agentShare || (isLow() && !isDecision)) return seconds
      spent.set(key, used)
      return 0
    },
  }
  return { quota }
}

const secondsTo = (endMs: number) => Math.max(0, Math.ceil((endMs - performance.now()) / 1000))

/** What the host would say to a request that is not sent. */
function limited(request: RequestError['request'], seconds: number): RequestError {
  const headers = { 'retry-after': `${seconds}` }
  const response = { status: 429, url: request.url, headers, data: {}, retryCount: 0 }
  return new RequestError('secondary rate limit', 429, { request, response })
}
