/** Why a person has to decide how a transaction, a payout or an activation goes on. */
export type Problem =
  /** The nonce of our transaction was used by one that is not ours. */
  | { kind: 'nonce_used_elsewhere' }
  /** The transaction of a payout succeeded with other events than it was signed for. */
  | { kind: 'paid_event_differs' | 'transfers_differ' }
  /** The deploy succeeded with another project than it was signed for. */
  | { kind: 'project_differs' }
  /** A withdrawal or an allowance that was reported confirmed is undone. */
  | { kind: 'withdrawal_taken_back' }
  /** The payout's id was paid with other terms; `hash` is null where the payment was not found. */
  | { kind: 'paid_differently'; hash: string | null }
  /** The chain has paid a submission that was reported failed and whose review then ended without a payment. */
  | { kind: 'paid_after_review'; hash: string }
  /** A payout that was reported paid is undone. */
  | { kind: 'payment_taken_back' }
  /** A project that was reported active has lost its contracts. */
  | { kind: 'contracts_taken_back' }

/** A problem in one line, for the alarm and the row that it is about. */
export function describeProblem(problem: Problem): string {
  switch (problem.kind) {
    case 'nonce_used_elsewhere':
      return 'its nonce was used by a transaction that is not ours'
    case 'paid_event_differs':
      return 'the transaction succeeded without exactly the Paid event it should have'
    case 'transfers_differ':
      return 'the transaction succeeded without exactly the transfers it should have made'
    case 'project_differs':
      return 'the deploy succeeded without exactly the project it should have made'
    case 'withdrawal_taken_back':
      return 'it was reported confirmed, and then the chain took it back until nobody could send it any more'
    case 'paid_differently':
      return `paid by ${problem.hash ?? 'a transaction that was not found'}, but not by exactly this payout`
    case 'paid_after_review':
      return `paid by ${problem.hash} after it had been reported failed and its review had ended without a payment`
    case 'payment_taken_back':
      return 'it was reported paid, and then the chain took the payment back and refused it'
    case 'contracts_taken_back':
      return 'it was reported active, and then the chain took its contracts back and refused to make them again'
  }
}
