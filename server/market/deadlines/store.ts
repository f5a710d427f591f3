import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { outageSeconds, stretchedUntil } from '../../lifecycle/deadlines.ts'
import { edges } from '../../lifecycle/edges.ts'
import { moveAll } from '../../lifecycle/move.ts'

/**
 * All processes together beat once in so many seconds. Each commit makes cached lists read again, so ten processes should
 * not commit ten times.
 */
const beatSeconds = 5

/** An outage that a beat has noticed. */
interface Outage {
  seconds: number
  nothingLapsesBefore: Date
}

/**
 * Beats the heart, unless a process has just done it. Returns the outage that this beat ends, if there is one: deadlines
 * are stretched by its length then. Without a bounty there is no deadline, and a new installation has had no outage.
 */
export async function beat(db: Database): Promise<Outage | undefined> {
  const { rows } = await sql<Outage & { hasBounties: boolean }>`
    with last as (
      select beaten_at from heartbeat
      where abs(extract(epoch from now() - beaten_at)) >= ${sql.lit(beatSeconds)}
      for no key update)
    update heartbeat set beaten_at = now(), nothing_lapses_before = ${stretchedUntil}
    from last
    returning extract(epoch from now() - last.beaten_at)::float8 as seconds,
      nothing_lapses_before as "nothingLapsesBefore", exists (select from bounties) as "hasBounties"`.execute(
    db,
  )
  const [beaten] = rows
  return beaten?.hasBounties && beaten.seconds > outageSeconds ? beaten : undefined
}

/** A claim that has lapsed. */
interface LapsedClaim {
  bountyId: string
  claimant: string
}

/** Whether a claim has lapsed. */
export const hasLapsed = () => sql`exists (select from bounties where ${edges.lapse.due})`

/**
 * Opens up to `limit` bounties whose claims have lapsed, those that lapsed first, and records it. Leaves out bounties that
 * a request has locked: that step of the bounty decides, and the next search sees what it did. Locks bounties as
 * `lockBounty` does, before everything else.
 */
export function openLapsed(db: Database, limit: number): Promise<LapsedClaim[]> {
  return inTransaction(db, (trx) => openLapsedIn(trx, limit))
}

/** {@link openLapsed} in the caller's transaction. */
export async function openLapsedIn(trx: Database, limit: number): Promise<LapsedClaim[]> {
  const lapsed = await trx
    .selectFrom('bounties')
    .where(edges.lapse.due)
    .select(['id', 'project_id', 'claimed_by'])
    .orderBy('claim_expires_at')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  await moveAll(
    trx,
    edges.lapse,
    lapsed.map((bounty) => ({ ...bounty, agent_id: bounty.claimed_by })),
  )
  return lapsed.map(({ id, claimed_by }) => ({ bountyId: id, claimant: claimed_by ?? '' }))
}

const isOverdue = sql<boolean>`(overdue_at is null and status = 'pending' and review_due_at <= now() and ${edges.overdue.due})`

/** Whether a review is overdue that is not recorded as such. */
export const hasOverdue = () => sql`exists (select from submissions where ${isOverdue})`

/**
 * Records up to `limit` reviews as overdue, those that were due first, each of them once. Returns the ids of their
 * submissions. Leaves out submissions that a request has locked, as `openLapsed` does.
 */
export function recordOverdue(db: Database, limit: number): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const overdue = await trx
      .selectFrom('submissions')
      .where(isOverdue)
      .select(['id as submission_id', 'agent_id', 'project_id', 'bounty_id as id'])
      .orderBy('review_due_at')
      .limit(limit)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    await moveAll(trx, edges.overdue, overdue)
    return overdue.map(({ submission_id }) => submission_id)
  })
}
