import { ServiceError } from '../../errors.ts'

/** The error for a bounty that its founder has cancelled. Only lists of the founder's own bounties show it. */
export function bountyCancelled(): ServiceError {
  return new ServiceError('bounty_not_found', 'The founder has cancelled this bounty.')
}
