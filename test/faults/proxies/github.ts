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
  /** What responds from now on in the place of the code host, unless a fault does; the newest that has a response. */
  show(respond: (request: GitHubRequest) => RequestFault): void
  heal(): void
}

export function createGitHubFaults(): GitHubFaults {
  const shown: ((request: GitHubRequest) => RequestFault)[] = []
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
    show(respond) {
      shown.unshift(respond)
    },
    async onRequest(request) {
      const hit = armed.find(({ on }) => on === 'any' || request.method === 'POST')
      if (hit) {
        hit.met = true
        armed = armed.filter((one) => one !== hit)
        const fault = await interference(hit.fault)
        if (fault) return fault
      }
      for (const respond of shown) {
        const response = respond(request)
        if (response) return response
      }
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
