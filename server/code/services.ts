import type { PullRequestEngine } from '../engines/pull-requests/engine.ts'
import type { Repositories } from '../repositories/repositories.ts'

declare module '../services.ts' {
  interface Services {
    /** Absent where the operator has configured none. */
    repositories: Repositories | null
    /** What the code host reports about the pull requests of submissions. */
    pullRequests: PullRequestEngine
  }
}
