import { type RawBuilder, sql } from 'kysely'
import { activityEntries } from '../../db/activity.ts'
import { claimExpiresAt, claimHasLapsed, claimTime, openAgain } from '../../db/deadlines.ts'
import { endedClaims } from '../../db/ended-claims.ts'
import { prepared } from '../../db/prepared.ts'

/** The claim of a bounty that is `claimed`; its columns are null in every other status. Returns no row for an unknown bounty. */
export const claimOfBounty = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('bounties')
    .where('id', '=', id)
    .select(['id', 'status', 'claimed_by', 'claimed_at', 'extensions_left', claimExpiresAt.as('expires_at')]),
)

interface OwnClaim {
  id: string
  agent_id: string
  activity_id: string
}

/** Whether the locked row is a claim of the agent. */
function isHeldBy(agentId: string): RawBuilder<boolean> {
  return sql`(held.status = 'claimed' and held.claimed_by = ${agentId})`
}

/**
 * Adds half the time of a claim to the claim of `agent_id`, if it has not lapsed and an extension is left, and records the
 * activity. Returns what decided it and, in `expires_at`, the new end, which is null if there is none. Locks the bounty as
 * `lockBounty` does.
 */
export const extendClaim = prepared((db, { hours, ...claim }: OwnClaim & { hours: string }) =>
  db
    .with('held', (cte) =>
      cte
        .selectFrom('bounties')
        .where('id', '=', claim.id)
        .select(['id', 'status', 'claimed_by', 'extensions_left'])
        .select(claimHasLapsed.as('has_lapsed'))
        .forNoKeyUpdate(),
    )
    .with('extended', (cte) =>
      cte
        .updateTable('bounties')
        .from('held')
        .set({
          claim_expires_at: sql`${claimExpiresAt} + ${claimTime(hours)} / 2`,
          spared_from: sql`bounties.spared_from + ${claimTime(hours)} / 2`,
          extensions_left: sql`bounties.extensions_left - 1`,
        })
        .whereRef('bounties.id', '=', 'held.id')
        .where(isHeldBy(claim.agent_id))
        .where(sql<boolean>`not held.has_lapsed and held.extensions_left > 0`)
        .returning(['bounties.id', 'bounties.project_id', 'bounties.claimed_at', 'bounties.extensions_left'])
        .returning(claimExpiresAt.as('expires_at')),
    )
    .with('entry', () =>
      activityEntries(
        { type: 'claim.extended' },
        {
          id: sql.val(claim.activity_id),
          agent_id: sql.val(claim.agent_id),
          project_id: sql.ref('extended.project_id'),
          bounty_id: sql.ref('extended.id'),
        },
        sql`extended`,
      ),
    )
    .selectFrom('held')
    .leftJoin('extended', 'extended.id', 'held.id')
    .select(['held.status', 'held.claimed_by', 'held.has_lapsed'])
    .select(['extended.claimed_at', 'extended.expires_at', 'extended.extensions_left']),
)

/** Hours that a claim lasts at least after the code host was away when its claimant submitted, and in all at most. */
const [sparedHours, mostSparedHours] = [1, 24]
const inAnHour = sql`now() + make_interval(hours => ${sql.lit(sparedHours)})`

/**
 * The code host is away, so the claimant cannot submit: its claim does not lapse within the next hour. A claim gets a day
 * in all, and one that has lapsed gets nothing: otherwise an outage, or what looks like one, would hold a bounty permanently.
 */
export const spareClaim = prepared((db, claim: { id: string; agent_id: string }) =>
  db
    .updateTable('bounties')
    .set({
      claim_expires_at: sql`least(${inAnHour},
        coalesce(spared_from, claim_expires_at) + make_interval(hours => ${sql.lit(mostSparedHours)}))`,
      spared_from: sql`coalesce(spared_from, claim_expires_at)`,
    })
    .where('id', '=', claim.id)
    .where('claimed_by', '=', claim.agent_id)
    .where('status', '=', 'claimed')
    .where(sql<boolean>`not ${claimHasLapsed}`)
    .where(sql<boolean>`claim_expires_at < ${inAnHour}`)
    .where(
      sql<boolean>`claim_expires_at < coalesce(spared_from, claim_expires_at) + make_interval(hours => ${sql.lit(mostSparedHours)})`,
    ),
)

/**
 * Opens the bounty that `agent_id` has claimed, also when the claim has lapsed, and records the activity. Returns what
 * decided it. Locks the bounty as `lockBounty` does.
 */
export const releaseClaim = prepared((db, claim: OwnClaim) => {
  const released = endedClaims('released', sql`released`, sql.val(claim.activity_id))
  return db
    .with('held', (cte) =>
      cte
        .selectFrom('bounties')
        .where('id', '=', claim.id)
        .select(['id', 'status', 'claimed_by', 'claimed_at'])
        .forNoKeyUpdate(),
    )
    .with('released', (cte) =>
      cte
        .updateTable('bounties')
        .from('held')
        .set(openAgain)
        .whereRef('bounties.id', '=', 'held.id')
        .where(isHeldBy(claim.agent_id))
        .returning(['bounties.id', 'bounties.project_id'])
        .returning(['held.claimed_by as former_claimant', 'held.claimed_at as formerly_claimed_at']),
    )
    .with('ended', () => released.rows)
    .with('entry', () => released.entries)
    .selectFrom('held')
    .leftJoin('released', 'released.id', 'held.id')
    .select(['held.status', 'held.claimed_by', 'released.id as released'])
})
