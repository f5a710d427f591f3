import {
  type AttachedRequests,
  createAttachedRequests,
  type Outcome,
  type WaitingOptions,
} from '../../loops/attached-requests.ts'

interface Active {
  state: 'done'
}

/** The state of an activation. */
export type ActivationOutcome = Outcome<Active>

/** Requests that wait for activations. Each gives a project its repository and contracts, exactly once. */
export type ActivationEngine = AttachedRequests<Active>

/** Creates the engine. */
export const createActivationEngine = (options: WaitingOptions): ActivationEngine =>
  createAttachedRequests('activations', () => ({ state: 'done' }), options)
