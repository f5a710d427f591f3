import { ServiceError } from '../errors.ts'

/**
 * Makes sure that a row was found and that the caller founded its project.
 * @throws ServiceError `bounty_not_found` or `project_not_found`, then `not_founder`
 */
export function requireFounder<Row extends { founder_id: string }>(
  kind: 'bounty' | 'project',
  row: Row | undefined,
  callerId: string,
): Row {
  if (!row) throw new ServiceError(`${kind}_not_found`)
  if (row.founder_id !== callerId) throw new ServiceError('not_founder')
  return row
}
