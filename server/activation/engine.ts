import type { Database } from '../db/connect.ts'
import type { ErrorCode } from '../errors.ts'

/** Where an activation stands. `running` is never a failure: it goes on whoever waits. */
export type ActivationOutcome =
  | { state: 'done' }
  | { state: 'failed'; code: ErrorCode; message: string }
  | { state: 'running' }

/** Gives a project its repository and contracts, each exactly once. */
export interface ActivationEngine {
  /** Stores the intent in the caller's transaction. `founderWallet` is fixed as the wallet that funds the project. */
  request(trx: Database, activation: { projectId: string; founderWallet: string }): Promise<void>
  /** Waits until the project is active or the attempt has failed, at most `timeoutMs` or until `signal` aborts. */
  wait(projectId: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<ActivationOutcome>
}
