import { endedUnpaid } from '../../lifecycle/statuses.ts'
import { gasBalanceLow } from '../../money/transactions/send/assign.ts'
import type { Case, TransactionView } from './unresolved.ts'

/** The database lists what it began. A payment that it does not know stands in the log alone. */
const noCase =
  'Nothing is unresolved of what the database knows. Payments that it does not know stand in the log, as payment_unknown.'

/** Silence of a lane, in seconds, after which an operator should check whether a process has its key. */
const silentSeconds = 60

/** A few lines for each case: its state and age, its attempts, its last error and what to do next. */
export function listReport(cases: Case[]): string[] {
  if (cases.length === 0) return [noCase]
  return cases.flatMap((found) => {
    const attempts = found.transactions.flatMap((transaction) => transaction.attempts)
    const error = lastError(found)
    return [
      `${found.entityId}  ${found.kind} ${found.status}, ${duration(found.ageSeconds)} old, ` +
        `${plural(attempts.length, 'attempt')}`,
      ...(error ? [`  last error  ${error}`] : []),
      `  next step   ${nextStep(found)}`,
    ]
  })
}

/** Everything that is known about one case. */
export function caseReport(found: Case): string[] {
  const { kind, entityStatus } = found
  const ofEntity = entityStatus ? ` (${kind === 'payout' ? 'submission' : 'project'} ${entityStatus})` : ''
  return [
    `${found.entityId}  ${kind} ${found.status}${ofEntity}, asked for ${plural(found.round, 'time')}, ` +
      `${duration(found.ageSeconds)} old`,
    ...(found.error ? [`  error       ${found.error}`] : []),
    ...found.transactions.flatMap(transactionReport),
    `  next step   ${nextStep(found)}`,
  ]
}

/** What an operator should do about a case now, as a sentence. */
function nextStep(found: Case): string {
  const stuck = found.transactions.some(({ status }) => status === 'needs_operator')
  if (stuck || found.status === 'needs_operator')
    return found.kind === 'payout' && endedUnpaid(found.entityStatus)
      ? 'decide by hand: the chain has paid a submission whose review had ended without a payment'
      : `npm run payouts -- retry ${found.entityId}`
  const moving = found.transactions.find(({ status }) => ['queued', 'unconfirmed', 'mined'].includes(status))
  if (moving) return stepOfMoving(moving)
  if (found.status === 'running') return 'nothing: the service continues by itself'
  const mayBeRepeated = found.kind === 'payout' || found.kind === 'activation'
  if (found.status === 'failed' && mayBeRepeated) return 'nothing: it waits for the founder to ask again'
  return 'nothing: it is finished'
}

function stepOfMoving({ status, lane, laneLeaseSeconds, error }: TransactionView): string {
  if (status === 'queued' && error === gasBalanceLow) return 'send ETH to the operator keys'
  if (status === 'queued')
    return error ? `wait: ${error}` : 'nothing: it is sent as soon as an operator key is free'
  if (laneLeaseSeconds === null || laneLeaseSeconds < -silentSeconds)
    return `start the service with the operator key ${lane}: no process serves it`
  return status === 'mined'
    ? 'nothing: it is mined and waits for its confirmations'
    : 'nothing: it is sent again until it is mined'
}

function lastError(found: Case): string | null {
  const latest = found.transactions.at(-1)
  return found.error ?? latest?.error ?? latest?.attempts.at(-1)?.lastError ?? null
}

function transactionReport(transaction: TransactionView): string[] {
  const { id, status, lane, nonce, block, error, attempts } = transaction
  const place = lane === null ? 'no key yet' : `key ${lane}${nonce === null ? '' : `, nonce ${nonce}`}`
  return [
    `  transaction ${id} ${status}, ${place}${block === null ? '' : `, block ${block}`}`,
    ...(error ? [`    error     ${error}`] : []),
    ...attempts.flatMap((attempt) => [
      `    ${attempt.hash}${attempt.hash === transaction.minedHash ? ' (mined)' : ''}`,
      `      at most ${gwei(attempt.maxFeePerGas)} gwei per gas, sent ${plural(attempt.sends, 'time')}` +
        (attempt.sentSecondsAgo === null ? '' : `, last ${duration(attempt.sentSecondsAgo)} ago`),
      ...(attempt.lastError ? [`      error of the node: ${attempt.lastError}`] : []),
    ]),
  ]
}

function gwei(wei: string): string {
  return (Number(wei) / 1e9).toFixed(3)
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** A duration in its largest whole unit. */
function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}
