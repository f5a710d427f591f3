import { ServiceError } from '../../errors.ts'

/** The error for a bounty that its founder has cancelled. Only lists of the founder's own bounties show it. */
export function bountyCancelled(): ServiceError {
  return new ServiceError('bounty_not_found', 'The founder has cancelled this bounty.')
}

/** A row of a bounty that is not cancelled. */
type Listed<Row extends { status: string }> = Row & { status: Exclude<Row['status'], 'cancelled'> }

/**
 * Makes sure that a bounty was found and is not cancelled.
 * @throws ServiceError `bounty_not_found`
 */
export function requireBounty<Row extends { status: string }>(row: Row | undefined): Listed<Row> {
  if (!row) throw new ServiceError('bounty_not_found')
  if (row.status === 'cancelled') throw bountyCancelled()
  return row as Listed<Row>
}
