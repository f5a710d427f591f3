import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config/config.ts'
import { blockedByOthers } from '../events/acceptance-blocks.ts'
import { seenMerge } from './pull-requests/seen-pulls.ts'
import { standingOf } from './standing.ts'

/** Hours that a claim lasts, by difficulty of the bounty. */
export function hoursByDifficulty(config: Config) {
  return {
    easy: config.CLAIM_HOURS_EASY,
    medium: config.CLAIM_HOURS_MEDIUM,
    hard: config.CLAIM_HOURS_HARD,
    extreme: config.CLAIM_HOURS_EXTREME,
  }
}

/** {@link hoursByDifficulty}, with the longest proof time, as a value of a statement. */
export const claimHours = (config: Config): string =>
  JSON.stringify({ ...hoursByDifficulty(config), proof: config.CLAIM_PROOF_HOURS })

/** The share of a claim's time within which work has to be seen, unless `CLAIM_PROOF_HOURS` is less. */
const proofShare = 0.25

/** Hours within which work of a new claimant has to be seen, by difficulty. */
export function proofHours(config: Config) {
  const of = (hours: number) => Math.min(hours * proofShare, config.CLAIM_PROOF_HOURS)
  const { easy, medium, hard, extreme } = hoursByDifficulty(config)
  return { easy: of(easy), medium: of(medium), hard: of(hard), extreme: of(extreme) }
}

/** Days beyond its longest claim and its review for which a lock should still last. */
const spareDays = 7

/** Hours until a claim that began now, with all extensions, would be reviewed and paid at the latest, with a margin. */
export function workHours(config: Config) {
  const of = (hours: number) => hours * (1 + claimExtensions / 2) + 24 * (config.REVIEW_DAYS + spareDays)
  const { easy, medium, hard, extreme } = hoursByDifficulty(config)
  return { easy: of(easy), medium: of(medium), hard: of(hard), extreme: of(extreme) }
}

/** How often a claimant may extend a claim. Each extension adds half the time that a claim of this difficulty lasts. */
export const claimExtensions = 2

/** The share of that time that a claim lasts if the claimant has just given up the same bounty. */
export const claimedAgainShare = 0.25

/** An agent whose claims on a bounty have ended without a payment so often within the time of one claim cannot claim it again until that time is over. */
export const mostGivenUp = 3

/**
 * The time that a claim lasts, as an SQL interval, in a statement that reads `bounties`.
 * @param hours of {@link claimHours}, as JSON: prepared statements take it as a value
 */
export function claimTime(hours: string): RawBuilder<string> {
  return sql`make_interval(secs => 3600 * (${hours}::jsonb ->> bounties.difficulty)::float8)`
}

/** A host may report nothing by itself, so work that is not seen yet is sought so often. */
const soonest = (due: RawBuilder<unknown>) => sql<Date>`least(${due}, now() + interval '30 minutes')`

/**
 * What a new claim sets for its proof. An agent with standing needs none.
 * @param hours of {@link claimHours}, as JSON
 * @param end when the claim lapses: what is merged is sought then
 */
export function proofTime(hours: string, standing: number, end: RawBuilder<Date>) {
  const due =
    standing > 0
      ? null
      : sql<Date>`now() + least(${claimTime(hours)} * ${sql.lit(proofShare)},
    make_interval(secs => 3600 * (${hours}::jsonb ->> 'proof')::float8))`
  return { proof_due_at: due, look_at: sql<Date>`least(${soonest(sql`${due}`)}, ${end})`, seen_sha: null }
}

/** What a new claim sets for its time, all of it. @param hours of {@link claimHours}, as JSON */
export const freshTime = (hours: string) => ({
  claim_expires_at: sql<Date>`now() + ${claimTime(hours)}`,
  extensions_left: claimExtensions,
  extended_by: '0',
  postponed_from: null,
})

/** That of a claimant that has just given up the same bounty. */
export const shortTime = (hours: string) => ({
  ...freshTime(hours),
  claim_expires_at: sql<Date>`now() + ${claimTime(hours)} * ${sql.lit(claimedAgainShare)}`,
  extensions_left: 0,
})

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

/** When the claim of a row of `bounties` lapses; null unless it is `claimed`. */
export const claimExpiresAt = sql<Date | null>`case bounties.status when 'claimed'
  then greatest(bounties.claim_expires_at, ${nothingLapsesBefore}) end`

/** Work of the claim of a row of `bounties` that is merged has only to be submitted, so no deadline ends the claim. */
const isMerged = sql<boolean>`${seenMerge} is not null`

/**
 * Whether the repository of a row of `bounties` is lost, and that moment had not come when it was looked at last. The next look puts the
 * moment off by the time in between.
 */
const standsStill = (due: RawBuilder<unknown>) => sql<boolean>`exists (select from projects lost
  where lost.id = bounties.project_id and repository_lost_at is not null and repository_looked_at < ${due})`

const deadlineIsOver = sql<boolean>`(bounties.status = 'claimed' and bounties.claim_expires_at <= now()
  and ${nothingLapsesBefore} <= now() and not ${isMerged} and not ${standsStill(sql`bounties.claim_expires_at`)})`

/**
 * Whether the code host has said after the deadline what it has merged: a report of that may be lost or late, also where nothing of the claim was
 * seen. One that is away for a day is not waited for.
 */
const isListed = sql<boolean>`(bounties.listed_at >= ${claimExpiresAt}
  or coalesce(bounties.postponed_from, bounties.claim_expires_at) + interval '1 day' <= now()) is true`

/** Whether the claim of a row of `bounties` has lapsed. Takeover and sweep end claims by this condition alone. */
export const claimHasLapsed = sql<boolean>`(${deadlineIsOver} and ${isListed})`

/** Whether only the code host's list is waited for. */
export const waitsForList = sql<boolean>`(${deadlineIsOver} and not ${isListed})`

/** When work of the claimant has to be seen; null once it is, or where that is not asked. */
export const proofDueAt = sql<Date | null>`case when bounties.proof_due_at is not null
  then greatest(bounties.proof_due_at, ${nothingLapsesBefore}) end`

const lastLook = sql<Date>`case when ${claimExpiresAt} > now() then ${claimExpiresAt} else now() + interval '1 hour' end`

/** When work is sought again: what was not seen, and at the deadline what was merged. What else follows is reported. */
export const nextLook = sql<Date>`greatest(case when ${standsStill(sql`'infinity'`)} then now() + interval '1 minute' end,
  case when bounties.seen_sha is null then least(${soonest(proofDueAt)}, ${lastLook}) else ${lastLook} end)`

/** Whether the proof time of a row of `bounties` is over. Whether work is there, the code host says. */
export const proofIsOver = sql<boolean>`(bounties.proof_due_at <= now() and ${nothingLapsesBefore} <= now()
  and not ${isMerged} and not ${standsStill(sql`bounties.proof_due_at`)})`

const since = sql`greatest(bounties.claimed_at, (select max(reviewed_at) from submissions s
  where s.bounty_id = bounties.id and s.agent_id = bounties.claimed_by and s.status = 'changes_requested'))`

/** When half of the time of the claim of a row of `bounties` is over, without extensions. After a review it counts from there. */
const halfTime = sql<Date>`(${since} + (${claimExpiresAt} - bounties.extended_by - ${since}) / 2)`

/** Whether the founder may end the claim of a row of `bounties` whatever work there is. */
export const halfTimeIsOver = sql<boolean>`(bounties.status = 'claimed' and ${halfTime} <= now())`

/**
 * When the founder may end the claim of a row of `bounties`: once half of its time is over; before work is seen after an hour, or at once if the
 * claimant has no standing.
 */
export const dismissableFrom = sql<Date | null>`case
  when bounties.status <> 'claimed' then null
  when bounties.seen_sha is not null then ${halfTime}
  when ${standingOf(sql.ref('bounties.claimed_by'))} > 0 then bounties.claimed_at + interval '1 hour'
  else bounties.claimed_at end`

/** When the review of a row of `submissions` is due. */
export const reviewDueAt = sql<Date>`greatest(submissions.review_due_at, ${nothingLapsesBefore})`

/** When the silence of the founder pays for a row of `submissions`; null while no window runs. */
export const acceptsAt = sql<Date | null>`case when submissions.accepts_at is not null
  then greatest(submissions.accepts_at, ${nothingLapsesBefore}) end`

/** Hours that a claim lasts at least after the code host was away when its claimant submitted, and in all at most. */
const postponedHours = 1
const mostPostponedHours = 24
const inAnHour = sql`now() + make_interval(hours => ${sql.lit(postponedHours)})`

/**
 * The columns of a claim whose claimant could not submit because the code host was away. A claim gets a day in all: otherwise
 * an outage, or what looks like one, would hold a bounty permanently.
 */
export const postponed = {
  claim_expires_at: sql<Date>`greatest(claim_expires_at, least(${inAnHour},
    coalesce(postponed_from, claim_expires_at) + make_interval(hours => ${sql.lit(mostPostponedHours)})))`,
  // A claim that does not end soon is not postponed.
  postponed_from: sql<Date>`case when claim_expires_at < ${inAnHour} then coalesce(postponed_from, claim_expires_at) else postponed_from end`,
}

/** The proof time of a claim while the code host is away: nobody can open a pull request there. It ends with the claim. */
export const postponedProof = sql<Date>`greatest(proof_due_at, least(${inAnHour}, claim_expires_at))`

/**
 * The columns of a submission whose founder has tried to decide since a moment and could not, because the code host or the chain was away:
 * neither its window nor its review that had not ended then ends within an hour. The review, which is the founder's own time, gets a day in
 * all.
 */
export const postponedReview = (began: Date, reviewDays: number) => ({
  accepts_at: sql<Date | null>`case when ${acceptsAt} > ${began} then greatest(accepts_at, ${inAnHour}) else accepts_at end`,
  review_due_at: sql<Date>`case when ${reviewDueAt} > ${began} then greatest(review_due_at, least(${inAnHour},
    created_at + make_interval(days => ${reviewDays}::int, hours => ${sql.lit(mostPostponedHours)}))) else review_due_at end`,
})

/** The moment in so many days. */
export const inDays = (days: number) => sql<Date>`now() + make_interval(days => ${days}::int)`

/**
 * Whether a row of `submissions` waits for its review longer than the founder has for it. What is accepted, and waits for a wallet of its
 * contributor or for the operator, does not wait for the founder.
 */
export const reviewIsOverdue = sql<boolean>`(submissions.status = 'pending' and ${reviewDueAt} <= now()
  and coalesce(submissions.acceptance_blocked, '') <> all(${sql.lit(`{${blockedByOthers}}`)}))`
