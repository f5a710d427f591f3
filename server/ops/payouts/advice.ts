import { endedUnpaid } from '../../lifecycle/statuses.ts'
import type { Case, TransactionView } from './unresolved.ts'

/** Silence of a lane, in seconds, after which an operator should check whether a process has its key. */
const silentSeconds = 60

/** What an operator should do about a case now. */
export type NextStep =
  | { action: 'retry'; entityId: string }
  /** The chain has paid a submission whose review has ended without a payment meanwhile. */
  | { action: 'decide by hand' }
  | { action: 'send gas' }
  /** No process serves the lane of this operator key. */
  | { action: 'start service'; lane: string | null }
  | { action: 'wait'; reason: string }
  | { action: 'nothing'; because: 'queued' | 'sent' | 'mined' | 'running' | 'failed' | 'finished' }

/** What an operator should do about a case now. */
export function nextStep(found: Case): NextStep {
  const stuck = found.transactions.some(({ status }) => status === 'needs_operator')
  if (stuck || found.status === 'needs_operator')
    return found.kind === 'payout' && endedUnpaid(found.entityStatus)
      ? { action: 'decide by hand' }
      : { action: 'retry', entityId: found.entityId }
  const moving = found.transactions.find(({ status }) => ['queued', 'unconfirmed', 'mined'].includes(status))
  if (moving) return stepOfMoving(moving)
  const mayBeRepeated = found.kind === 'payout' || found.kind === 'activation'
  if (found.status === 'running' || (found.status === 'failed' && mayBeRepeated))
    return { action: 'nothing', because: found.status }
  return { action: 'nothing', because: 'finished' }
}

function stepOfMoving({ status, lane, laneLeaseSeconds, needsGas, error }: TransactionView): NextStep {
  if (status === 'queued' && needsGas) return { action: 'send gas' }
  if (status === 'queued')
    return error ? { action: 'wait', reason: error } : { action: 'nothing', because: 'queued' }
  if (laneLeaseSeconds === null || laneLeaseSeconds < -silentSeconds) return { action: 'start service', lane }
  return { action: 'nothing', because: status === 'mined' ? 'mined' : 'sent' }
}

/** The last error of a case, if there was one. */
export function lastError(found: Case): string | null {
  const latest = found.transactions.at(-1)
  return found.error ?? latest?.error ?? latest?.attempts.at(-1)?.lastError ?? null
}

/** How many times bytes were signed for a case. */
export function countAttempts(found: Case): number {
  return found.transactions.reduce((sum, { attempts }) => sum + attempts.length, 0)
}
