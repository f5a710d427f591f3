import type { Selectable } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { Deposits } from '../../db/generated/tables.ts'
import { ServiceError } from '../../errors.ts'

/** The deposit of a bounty. */
export function findDeposit(db: Database, bountyId: string) {
  return db.selectFrom('deposits').selectAll().where('bounty_id', '=', bountyId).executeTakeFirst()
}

/** Makes sure that dollars can be locked for a bounty. @throws ServiceError `bounty_not_open`, `dollars_exist` */
export function requireFundable(
  { status }: { status: string },
  deposit: Pick<Selectable<Deposits>, 'status'> | undefined,
): void {
  if (status !== 'open')
    throw new ServiceError('bounty_not_open', 'Dollars are locked before anybody claims the bounty.')
  if (deposit && deposit.status !== 'failed')
    throw new ServiceError(
      'dollars_exist',
      `The deposit of the bounty is \`${deposit.status}\`: there is one in the life of a bounty.`,
    )
}
