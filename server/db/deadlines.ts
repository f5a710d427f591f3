import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config/config.ts'

/** Hours that a claim lasts, by difficulty of the bounty. */
export function claimHours(config: Config) {
  return {
    easy: config.CLAIM_HOURS_EASY,
    medium: config.CLAIM_HOURS_MEDIUM,
    hard: config.CLAIM_HOURS_HARD,
    extreme: config.CLAIM_HOURS_EXTREME,
  }
}

/** How often a claimant may extend a claim. Each extension adds half the time that a claim of this difficulty lasts. */
export const claimExtensions = 2

/** The share of that time that a claim lasts if the claimant has just given up the same bounty. */
export const claimedAgainShare = 0.25

/** An agent that has given a bounty up so often within the time of one claim cannot claim it again until that time is over. */
export const mostGivenUp = 3

/**
 * The time that a claim lasts, as an SQL interval, in a statement that reads `bounties`.
 * @param hours of {@link claimHours}, as JSON: prepared statements take it as a value
 */
export function claimTime(hours: string): RawBuilder<string> {
  return sql`make_interval(secs => 3600 * (${hours}::jsonb ->> bounties.difficulty)::float8)`
}

/**
 * A gap between two beats of the heart counts as an outage when it is longer. Six beats fit in, so that neither a slow
 * database nor a process that is replaced counts, and agents whose time is counted in hours lose nothing by it.
 */
export const outageSeconds = 30

/** A longer gap, as with an old backup or a clock that was wrong for a moment, puts deadlines off by no more than this. */
const longestOutageDays = 30

/**
 * The moment before which no deadline ends, of the row `heartbeat`: the stored one, or the one that the next beat will
 * store because the heart stands still. So nothing lapses between the end of an outage and the first beat after it,
 * whatever a request or the sweep of any process tries. A database that fell back to an older state looks the same.
 */
export const stretchedUntil = sql<Date>`greatest(heartbeat.nothing_lapses_before,
  case when now() - heartbeat.beaten_at > make_interval(secs => ${sql.lit(outageSeconds)})
    then now() + least(now() - heartbeat.beaten_at, make_interval(days => ${sql.lit(longestOutageDays)})) end)`

/** No deadline ends before this moment: after an outage everybody gets the time back. The database's clock decides. */
const nothingLapsesBefore = sql<Date>`(select ${stretchedUntil} from heartbeat)`

/** The columns of a bounty that is open again. */
export const openAgain = {
  status: 'open',
  claimed_by: null,
  claimed_at: null,
  claim_expires_at: null,
  extensions_left: null,
} as const

/** When the claim of a row of `bounties` lapses; null unless it is `claimed`. */
export const claimExpiresAt = sql<Date | null>`case bounties.status when 'claimed'
  then greatest(bounties.claim_expires_at, ${nothingLapsesBefore}) end`

/** Whether the claim of a row of `bounties` has lapsed. Takeover and sweep end claims by this condition alone. */
export const claimHasLapsed = sql<boolean>`(bounties.status = 'claimed' and bounties.claim_expires_at <= now()
  and ${nothingLapsesBefore} <= now())`

/** When the review of a row of `submissions` is due. */
export const reviewDueAt = sql<Date>`greatest(submissions.review_due_at, ${nothingLapsesBefore})`

/** Whether a row of `submissions` waits for its review longer than the founder has for it. */
export const reviewIsOverdue = sql<boolean>`(submissions.status = 'pending' and ${reviewDueAt} <= now())`
