import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import { claimTime, workHours } from '../../lifecycle/deadlines.ts'

/** {@link workHours} as a value of a statement. */
export const lockHours = (config: Config): string => JSON.stringify(workHours(config))

/**
 * Condition on `deposits`, in a statement that reads `bounties`: dollars that a claim which begins now can still be paid. What is
 * on its way, or expires soon, counts in no list.
 * @param hours of {@link lockHours}: prepared statements take it as a value
 */
export function isLocked(hours: string): RawBuilder<boolean> {
  return sql`deposits.status = 'locked' and deposits.locked_until >= now() + ${claimTime(hours)}`
}

/** The base units that are locked for a bounty, in a statement that reads `bounties`; null where nothing counts. */
export function lockedFor(hours: string): RawBuilder<string | null> {
  return sql`(select case when ${isLocked(hours)} then amount::text end from deposits where bounty_id = bounties.id)`
}
