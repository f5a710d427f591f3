import { ServiceError } from '../../errors.ts'
import { bountyCancelled } from '../../lifecycle/refusals.ts'

/** A row of a bounty that is not cancelled. */
type Listed<Row extends { status: string }> = Row & { status: Exclude<Row['status'], 'cancelled'> }

/**
 * Makes sure that a bounty was found and is not cancelled.
 * @throws ServiceError `bounty_not_found`, `bounty_cancelled`
 */
export function requireBounty<Row extends { status: string }>(row: Row | undefined): Listed<Row> {
  if (!row) throw new ServiceError('bounty_not_found')
  if (row.status === 'cancelled') throw bountyCancelled()
  return row as Listed<Row>
}

/**
 * Makes sure also that the caller founded its project.
 * @throws ServiceError `bounty_not_found`, `bounty_cancelled`, `not_founder`, in this order
 */
export function requireOwnBounty<Row extends { status: string; founder_id: string }>(
  row: Row | undefined,
  callerId: string,
): Listed<Row> {
  const bounty = requireBounty(row)
  if (bounty.founder_id !== callerId) throw new ServiceError('not_founder')
  return bounty
}
