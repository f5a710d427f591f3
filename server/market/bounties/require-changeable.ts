import type { revised } from '../../api/fields.ts'
import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import type { Situation } from '../../lifecycle/situation.ts'
import { mayStillBeMined } from '../../money/payouts/store.ts'

/**
 * Makes sure that these fields can change now. A claimant works for the terms of its claim, and a payout that has begun, or
 * that may still be made, pays what the bounty promised when it was stored.
 * @throws ServiceError `bounty_not_open`, `approval_in_progress`
 */
export async function requireChangeable(
  trx: Database,
  { status, reward_amount, review }: Situation,
  changed: readonly (typeof revised)[number][],
  reward = reward_amount,
): Promise<void> {
  if (status === 'open') return
  if (status === 'done' || reward < reward_amount || changed.some((field) => field !== 'reward_amount'))
    throw new ServiceError(
      'bounty_not_open',
      `The bounty is \`${status}\`${status === 'done' ? '.' : raiseOnly}`,
    )
  if (
    changed.length > 0 &&
    review &&
    (review.status === 'approving' || (await mayStillBeMined(trx, review.id)))
  )
    throw new ServiceError('approval_in_progress')
}

const raiseOnly = ': until it is open again, you can only raise `reward_amount`.'
