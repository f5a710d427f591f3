import type { Database } from '../../db/client.ts'
import {
  type AttachedRequests,
  createAttachedRequests,
  type Outcome,
  type WaitingOptions,
} from '../attached-requests.ts'
import { startActivation } from './store.ts'

/** The state of an activation. */
export type ActivationOutcome = Outcome<Active>

interface Active {
  state: 'done'
}

/** Gives a project its repository and contracts, each exactly once. */
export interface ActivationEngine extends AttachedRequests<Active> {
  /**
   * Stores the activation in the caller's transaction with `attachedRequest` as its attached request. `founderWallet` becomes the
   * wallet that funds the project.
   */
  request(
    trx: Database,
    activation: { projectId: string; founderWallet: string },
    attachedRequest: string,
  ): Promise<void>
}

/** Creates the engine. */
export function createActivationEngine(options: WaitingOptions): ActivationEngine {
  const attached = createAttachedRequests<Active>('activations', () => ({ state: 'done' }), options)
  return {
    ...attached,
    async request(trx, activation, attachedRequest) {
      await startActivation(trx, activation)
      await attached.attach(trx, activation.projectId, attachedRequest)
    },
  }
}
