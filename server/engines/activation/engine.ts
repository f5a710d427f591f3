import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import type { ErrorCode } from '../../errors.ts'
import { createRequestLock } from '../request-lock.ts'
import { type Activation, findActivations, startActivation } from './store.ts'

/** The state of an activation. `running` is not a failure: it goes on whether or not a request waits for it. */
export type ActivationOutcome =
  | { state: 'done' }
  | { state: 'failed'; code: ErrorCode; message: string }
  | { state: 'running' }
  /** Waits for an operator. */
  | { state: 'stuck' }

/** Gives a project its repository and contracts, each exactly once. */
export interface ActivationEngine {
  /**
   * Stores the activation in the caller's transaction with `attachedRequest` as its attached request. `founderWallet` becomes the
   * wallet that funds the project.
   */
  request(
    trx: Database,
    activation: { projectId: string; founderWallet: string },
    attachedRequest: string,
  ): Promise<void>
  /** Attaches the request `attachedRequest` to a running activation; false while another request is attached. */
  join(trx: Database, projectId: string, attachedRequest: string): Promise<boolean>
  /** Releases the request `attachedRequest` without waiting. */
  leave(projectId: string, attachedRequest: string): Promise<void>
  /** Waits until the project is active, the attempt failed or is stuck, at most `timeoutMs` or until `signal` aborts. */
  wait(
    projectId: string,
    options: { attachedRequest: string; timeoutMs: number; signal: AbortSignal },
  ): Promise<ActivationOutcome>
  /** The current state of a project's activation; undefined before the first. */
  outcome(db: Database, projectId: string): Promise<ActivationOutcome | undefined>
  /** Wakes the waiting requests: an activation may have changed in this process. */
  poll(): void
}

export function createActivationEngine(options: {
  db: Database
  pollMs: number
  requestLockSeconds: number
  /** Called when a request starts to wait, so that its stored work is taken up at once. */
  onWait(): void
  log: Logger
}): ActivationEngine {
  const requestLock = createRequestLock<ActivationOutcome>({
    ...options,
    work: 'activations',
    load: async (ids) => {
      const activations = await findActivations(options.db, ids)
      return new Map(activations.map((activation) => [activation.projectId, toOutcome(activation)]))
    },
  })
  return {
    async request(trx, activation, attachedRequest) {
      await startActivation(trx, activation)
      await requestLock.replace(trx, activation.projectId, attachedRequest)
    },
    join: requestLock.acquire,
    leave: requestLock.release,
    async wait(projectId, attachment) {
      options.onWait()
      return (await requestLock.wait(projectId, attachment)) ?? { state: 'running' }
    },
    async outcome(db, projectId) {
      const [activation] = await findActivations(db, [projectId])
      return activation && toOutcome(activation)
    },
    poll: requestLock.poll,
  }
}

function toOutcome(activation: Activation): ActivationOutcome {
  if (activation.status === 'done') return { state: 'done' }
  if (activation.status === 'failed')
    return {
      state: 'failed',
      code: activation.errorCode ?? 'deployment_failed',
      message: activation.error ?? 'The activation failed.',
    }
  return { state: activation.status === 'needs_operator' ? 'stuck' : 'running' }
}
