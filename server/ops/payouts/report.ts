import { countAttempts, lastError, nextStep } from './advice.ts'
import type { Case, TransactionView } from './unresolved.ts'

/** One block of lines a case: what it is, how long it has been so, what was tried, what to do. */
export function listReport(cases: Case[]): string[] {
  if (cases.length === 0) return ['Nothing is unresolved.']
  return cases.flatMap((found) => [
    `${found.entityId}  ${found.kind} ${found.status}, ${duration(found.ageSeconds)} old, ` +
      `${plural(countAttempts(found), 'attempt')}`,
    ...(lastError(found) ? [`  last error  ${lastError(found)}`] : []),
    `  next step   ${nextStep(found)}`,
  ])
}

/** Everything that is known of one case. */
export function caseReport(found: Case): string[] {
  return [
    `${found.entityId}  ${found.kind} ${found.status} (${found.kind === 'payout' ? 'submission' : 'project'} ` +
      `${found.entityStatus}), asked for ${plural(found.round, 'time')}, ${duration(found.ageSeconds)} old`,
    ...(found.error ? [`  error       ${found.error}`] : []),
    ...found.transactions.flatMap(transactionReport),
    `  next step   ${nextStep(found)}`,
  ]
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
      ...(attempt.lastError ? [`      the node said: ${attempt.lastError}`] : []),
    ]),
  ]
}

function gwei(wei: string): string {
  return (Number(wei) / 1e9).toFixed(3)
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Of whole units only the largest that fits. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}
