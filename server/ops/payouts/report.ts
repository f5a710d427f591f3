import { countAttempts, lastError, type NextStep, nextStep } from './advice.ts'
import type { Case, TransactionView } from './unresolved.ts'

/** A few lines for each case: its state and age, its attempts, its last error and what to do next. */
export function listReport(cases: Case[]): string[] {
  if (cases.length === 0) return ['Nothing is unresolved.']
  return cases.flatMap((found) => [
    `${found.entityId}  ${found.kind} ${found.status}, ${duration(found.ageSeconds)} old, ` +
      `${plural(countAttempts(found), 'attempt')}`,
    ...(lastError(found) ? [`  last error  ${lastError(found)}`] : []),
    `  next step   ${sentence(nextStep(found))}`,
  ])
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
    `  next step   ${sentence(nextStep(found))}`,
  ]
}

/** The line for an operator. */
function sentence(step: NextStep): string {
  switch (step.action) {
    case 'retry':
      return `npm run payouts -- retry ${step.entityId}`
    case 'decide by hand':
      return 'decide by hand: the chain has paid a submission whose review had ended without a payment'
    case 'send gas':
      return 'send ETH to the operator keys'
    case 'start service':
      return `start the service with the operator key ${step.lane}: no process serves it`
    case 'wait':
      return `wait: ${step.reason}`
    case 'nothing':
      return `nothing: ${reasons[step.because]}`
  }
}

const reasons = {
  queued: 'it is sent as soon as an operator key is free',
  sent: 'it is sent again until it is mined',
  mined: 'it is mined and waits for its confirmations',
  running: 'the service continues by itself',
  failed: 'it waits for the founder to ask again',
  finished: 'it is finished',
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
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}
