import { setTimeout as delay } from 'node:timers/promises'
import { type GitHubRequest, type RequestFault, secondaryLimit } from '../../support/request-faults.ts'

/** Faults of the code host. */
export type GitHubFault =
  /** The repository is created, and the response is lost. */
  | { kind: 'answer lost' }
  | { kind: 'server error' }
  /** Secondary rate limit. */
  | { kind: 'limited'; seconds: number }
  | { kind: 'late'; ms: number }
  | { kind: 'token expired' }

/** Faults that hit requests to create a repository, or all, one after the other. */
export interface GitHubFaults {
  onRequest(request: GitHubRequest): Promise<RequestFault>
  /** Returns whether it has met a request so far. */
  arm(fault: GitHubFault, on: 'create' | 'any'): () => boolean
  /** What every pull request is from now on, by its number. */
  reportPulls(pullOf: (number: number) => RequestFault): void
  heal(): void
}

export function createGitHubFaults(): GitHubFaults {
  let reported: ((number: number) => RequestFault) | undefined
  let armed: { fault: GitHubFault; on: 'create' | 'any'; met: boolean }[] = []
  return {
    arm(fault, on) {
      const one = { fault, on, met: false }
      armed.push(one)
      return () => one.met
    },
    heal() {
      armed = []
    },
    reportPulls(pullOf) {
      reported = pullOf
    },
    async onRequest({ method, path }) {
      const hit = armed.find(({ on }) => on === 'any' || method === 'POST')
      const [, pull] = /\/pulls\/(\d+)$/.exec(path) ?? []
      if (!hit) return pull === undefined ? undefined : reported?.(Number(pull))
      hit.met = true
      armed = armed.filter((one) => one !== hit)
      return interference(hit.fault)
    },
  }
}

async function interference(fault: GitHubFault): Promise<RequestFault> {
  if (fault.kind === 'answer lost') return 'lose-response'
  if (fault.kind === 'server error') return { status: 502, body: { message: 'Server Error' } }
  if (fault.kind === 'token expired') return { status: 401, body: { message: 'Bad credentials' } }
  if (fault.kind === 'limited') return secondaryLimit(fault.seconds)
  await delay(fault.ms)
  return undefined
}
