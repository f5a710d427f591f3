import type { Selectable } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { Deposits } from '../../db/generated/tables.ts'
import { ServiceError } from '../../errors.ts'
import type { RelayFailure } from '../relays/failures.ts'

/** The deposit of a bounty. */
export function findDeposit(db: Database, bountyId: string) {
  return db.selectFrom('deposits').selectAll().where('bounty_id', '=', bountyId).executeTakeFirst()
}

/** A deposit, as far as it decides whether there can be another one. */
type Former = Pick<Selectable<Deposits>, 'status' | 'error_code'> | undefined

/**
 * Whether the coin takes a deposit of the bounty. The nonce is the bounty's own: who has cancelled its authorization has used it
 * up.
 */
export function isFree(deposit: Former): boolean {
  return !deposit || (deposit.status === 'failed' && deposit.error_code !== cancelled)
}

const cancelled: RelayFailure = 'authorization_cancelled'

/** Makes sure that dollars can be locked for a bounty. @throws ServiceError `bounty_not_open`, `dollars_exist` */
export function requireFundable({ status }: { status: string }, deposit: Former): void {
  if (status !== 'open')
    throw new ServiceError('bounty_not_open', 'Dollars are locked before anybody claims the bounty.')
  if (!deposit || isFree(deposit)) return
  throw new ServiceError(
    'dollars_exist',
    deposit.status === 'failed'
      ? 'Its wallet has cancelled the authorization of the deposit, so the coin takes none for this bounty any more. Create another bounty.'
      : `The deposit of the bounty is \`${deposit.status}\`: there is one in the life of a bounty.`,
  )
}
