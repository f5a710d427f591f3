import type { Database } from '../db/connect.ts'
import type { ErrorCode } from '../errors.ts'

/** What a founder's approval asks to be paid. Amounts are in base units. */
export interface PayoutRequest {
  submissionId: string
  token: string
  from: string
  to: string
  amount: bigint
  fee: bigint
}

/** Where a payout stands. `running` is never a failure: it goes on whoever waits. */
export type PayoutOutcome =
  | { state: 'settled'; txHash: string }
  | { state: 'failed'; code: ErrorCode; message: string }
  | { state: 'running' }

/** Moves approved rewards on chain, exactly once each. */
export interface PayoutEngine {
  /**
   * Stores the intent to pay in the caller's transaction, which has moved the submission to `approving`. From its
   * commit on the payout is carried out by whichever process gets to it.
   */
  request(trx: Database, payout: PayoutRequest): Promise<void>
  /** Waits until the payout is settled or has failed, at most `timeoutMs` or until `signal` aborts. */
  wait(submissionId: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<PayoutOutcome>
}
