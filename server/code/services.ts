import type { Repositories } from './host/repositories.ts'
import type { PullRequestEngine } from './pull-requests/engine.ts'

declare module '../services.ts' {
  interface Services {
    /** Absent where the operator has configured none. */
    repositories: Repositories | null
    /** What the code host reports about the pull requests of submissions. */
    pullRequests: PullRequestEngine
  }
}
