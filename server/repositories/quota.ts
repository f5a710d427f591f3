import type { Octokit } from '@octokit/rest'

/** What the code host lets this process request within an hour, as its latest response said. Hosts without a quota say nothing. */
export interface Quota {
  /**
   * Counts a reading that a request of the agent causes.
   * @param isDecision for approvals and merges, for which a share is kept when all else has to wait
   * @returns seconds to wait if there is none left for it; 0: it may be made now
   */
  spend(agentId: string, isDecision?: boolean): number
  /** Seconds for which readings that nobody waits for have to pause. */
  pause(): number
}

/** The share of the quota that is kept for approvals and merges. */
const keptShare = 0.2
/** The share that the requests of one agent may use, and as much again its approvals and merges. */
const agentShare = 0.05
/** Requests of one reading. */
const requestsOfReading = 3

interface Window {
  limit: number
  remaining: number
  /** Seconds since the epoch, by the host's clock. */
  resetsAt: number
  /** The same by the clock of this process. */
  endsAtMs: number
}

/** Follows the quota that the responses to this client report. */
export function followQuota({ hook }: Pick<Octokit, 'hook'>): Quota {
  let window: Window | undefined
  const spent = new Map<string, number>()

  function note(headers: Record<string, unknown> = {}): void {
    const value = (name: string) => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN)
    const seen = { limit: value('limit'), remaining: value('remaining'), resetsAt: value('reset') }
    if (Object.values(seen).some(Number.isNaN) || (headers['x-ratelimit-resource'] ?? 'core') !== 'core')
      return
    if (seen.resetsAt > (window?.resetsAt ?? 0)) spent.clear()
    const now = Date.parse(String(headers.date)) || Date.now()
    window = { ...seen, endsAtMs: performance.now() + seen.resetsAt * 1000 - now }
  }
  hook.after('request', ({ headers }) => note(headers))
  hook.error('request', (error) => {
    note((error as { response?: { headers?: Record<string, unknown> } }).response?.headers)
    throw error
  })

  const secondsLeft = () => Math.max(0, Math.ceil(((window?.endsAtMs ?? 0) - performance.now()) / 1000))
  const isLow = () => window !== undefined && window.remaining <= window.limit * keptShare

  return {
    pause: () => (isLow() ? secondsLeft() : 0),
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
}
