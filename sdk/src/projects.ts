import type { CallOptions } from './core/options.ts'
import { newIdempotencyKey } from './core/request.ts'
import { untilConfirmed, untilFound, untilSettled, type WaitLimits } from './core/wait.ts'
import type {
  ProjectsActivateResponse,
  ProjectsSetAllowanceRequest,
  ProjectsSetAllowanceResponse,
  SubmissionWithReview,
} from './generated/models.ts'
import { ProjectsResource } from './generated/resources.ts'

const underWay: readonly string[] = ['activation_unconfirmed', 'activation_in_progress']

/** Operations on `projects`. */
export class Projects extends ProjectsResource {
  /**
   * Activates a project and waits until its repository and contracts are there.
   * @param waitMs how long to keep asking, in ms, default 300,000. Then the last `activation_unconfirmed` is thrown,
   * but the activation goes on.
   */
  activateAndWait(
    projectId: string,
    options: CallOptions & WaitLimits = {},
  ): Promise<ProjectsActivateResponse> {
    const call = { ...options, idempotencyKey: options.idempotencyKey ?? newIdempotencyKey() }
    return untilSettled(() => this.activate(projectId, call), underWay, options)
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
    const { idempotencyKey: _, ...reading } = options
    const started = await this.setAllowance(projectId, body, options)
    const read = () => this.allowance(projectId, reading)
    return untilConfirmed(started, read, ({ allowance }) => allowance, options)
  }

  /**
   * The submission of a project that has waited longest for its review. While there is none, it looks again every few
   * seconds, until `signal` aborts. Founder only.
   */
  async nextSubmission(
    projectId: string,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<SubmissionWithReview> {
    const read = async () =>
      (await this.submissions(projectId, { status: 'pending', limit: 1 }, { signal })).submissions[0]
    return untilFound(read, signal)
  }
}
