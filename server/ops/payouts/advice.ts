import type { Case, TransactionView } from './unresolved.ts'

/** Silence of a lane, in seconds, after which somebody should look whether a process has its key. */
const silentSeconds = 60

/** The last thing that went wrong, if anything did. */
export function lastError(found: Case): string | null {
  const latest = found.transactions.at(-1)
  return found.error ?? latest?.error ?? latest?.attempts.at(-1)?.lastError ?? null
}

/** How many times bytes were signed for it. */
export function countAttempts(found: Case): number {
  return found.transactions.reduce((sum, { attempts }) => sum + attempts.length, 0)
}

/** What a person should do now, in one line. */
export function nextStep(found: Case): string {
  const stuck = found.transactions.find(({ status }) => status === 'needs_operator')
  if (stuck || found.status === 'needs_operator') return stepOfStuck(found)
  const moving = found.transactions.find(({ status }) => ['queued', 'unconfirmed', 'mined'].includes(status))
  if (moving) return stepOfMoving(moving)
  if (found.status === 'running') return 'nothing: the service takes it up by itself'
  if (found.status === 'failed') return 'nothing: it waits for the founder to ask again'
  return 'nothing: it is finished'
}

function stepOfStuck({ entityId, entityStatus, kind }: Case): string {
  if (kind === 'payout' && entityStatus === 'rejected')
    return 'decide by hand: the chain has paid a submission that was rejected meanwhile'
  return `npm run payouts -- retry ${entityId}`
}

function stepOfMoving({ status, lane, laneLeaseSeconds, error }: TransactionView): string {
  if (status === 'queued' && error?.includes('ETH')) return 'send ETH to the operator keys'
  if (status === 'queued') return error ? `wait: ${error}` : 'nothing: it is sent when a lane has room'
  if (laneLeaseSeconds === null || laneLeaseSeconds < -silentSeconds)
    return `start the service with the operator key ${lane}: nobody serves it`
  if (status === 'mined') return 'nothing: it is mined and waits for its confirmations'
  return 'nothing: it is sent again until it is mined'
}
