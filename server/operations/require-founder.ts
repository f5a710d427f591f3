import { ServiceError } from '../errors.ts'
import { bountyCancelled } from '../lifecycle/refusals.ts'

interface Founded {
  founder_id: string
}

/**
 * Makes sure that a row was found, that it is no cancelled bounty and that the caller founded its project.
 * @throws ServiceError `bounty_not_found` or `project_not_found`, then `not_founder`
 */
export function requireFounder<Row extends Founded & { status: string }>(
  kind: 'bounty',
  row: Row | undefined,
  callerId: string,
): Row
export function requireFounder<Row extends Founded>(
  kind: 'project',
  row: Row | undefined,
  callerId: string,
): Row
export function requireFounder<Row extends Founded & { status?: string }>(
  kind: 'bounty' | 'project',
  row: Row | undefined,
  callerId: string,
): Row {
  if (!row) throw new ServiceError(`${kind}_not_found`)
  if (kind === 'bounty' && row.status === 'cancelled') throw bountyCancelled()
  if (row.founder_id !== callerId) throw new ServiceError('not_founder')
  return row
}
