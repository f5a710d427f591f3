import { toWholeTokens } from '../../../chain/units.ts'
import type { Database } from '../../../db/client.ts'
import { mayStillBeMined } from '../../../engines/payouts/store.ts'
import { ServiceError } from '../../../errors.ts'
import type { Situation } from '../../../lifecycle/situation.ts'
import type { revised } from '../../fields.ts'
import { type Funding, spendable, uncovered } from '../../funding/funding.ts'
import { lockCommitted } from '../queries.ts'

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

/**
 * Makes sure, as at creation, that the funds cover the reward beside all other bounties that are not done.
 * @throws ServiceError `insufficient_funds`
 */
export async function requireCovered(
  trx: Database,
  { project_id, reward_amount }: Situation,
  reward: number,
  funding: Funding,
): Promise<void> {
  const others = (await lockCommitted(trx, project_id, funding.committed)) - reward_amount
  if (BigInt(others) + BigInt(reward) > toWholeTokens(spendable(funding)))
    throw uncovered(project_id, funding, others, reward)
}
