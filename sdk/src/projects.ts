import type { CallOptions } from './core/options.ts'
import { persistWrite, type WaitLimits } from './core/retry.ts'
import { ProjectsResource } from './generated/resources.ts'
import type {
  ProjectsActivateResponse,
  ProjectsSetAllowanceRequest,
  ProjectsSetAllowanceResponse,
  SubmissionWithReview,
} from './generated/schema.ts'

const underWay: readonly string[] = ['activation_unconfirmed', 'activation_in_progress']

/** Operations on `projects`. */
export class Projects extends ProjectsResource {
  /**
   * Activates a project and waits until its repository and contracts are there.
   * @param waitMs how long to wait, in ms, default 300,000. Then the last `activation_unconfirmed` is thrown, or a `TimeoutError`,
   * but the activation goes on.
   */
  activateAndWait(
    projectId: string,
    options: CallOptions & WaitLimits = {},
  ): Promise<ProjectsActivateResponse> {
    return persistWrite((call) => this.activate(projectId, call), options, underWay)
  }

  /**
   * Sets what the platform wallet may pay from the founder's managed wallet, and waits until the chain has confirmed it.
   * @param waitMs how long to wait, in ms, default 300,000
   * @throws NotConfirmedError if it failed, or if it goes on after `waitMs`
   */
  async setAllowanceAndWait(
    projectId: string,
    body: ProjectsSetAllowanceRequest,
    options: CallOptions & WaitLimits = {},
  ): Promise<ProjectsSetAllowanceResponse> {
    const { untilConfirmed } = await import('./core/wait.ts')
    return untilConfirmed<ProjectsSetAllowanceResponse>(
      (call) => this.setAllowance(projectId, body, call),
      (_, call) => this.allowance(projectId, call),
      ({ allowance }) => allowance,
      options,
    )
  }

  /**
   * The submission of a project that has waited longest for its review. While there is none, it looks again every few
   * seconds, until `signal` aborts. Founder only.
   * @throws TimeoutError after `waitMs`, where that is given
   */
  async nextSubmission(
    projectId: string,
    options: CallOptions & WaitLimits = {},
  ): Promise<SubmissionWithReview> {
    const { untilFound } = await import('./core/wait.ts')
    const query = { status: 'pending', limit: 1 } as const
    const look = async (signal: AbortSignal) =>
      (await this.submissions(projectId, query, { ...options, signal })).submissions[0]
    return untilFound(look, options)
  }
}
