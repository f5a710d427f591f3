import { sql } from 'kysely'
import { activityEntries } from '../../db/activity.ts'
import type { Database } from '../../db/client.ts'
import { claimHasLapsed, outageSeconds, reviewIsOverdue, stretchedUntil } from '../../db/deadlines.ts'
import { endedClaims } from '../../db/ended-claims.ts'
import { againAfterConflict } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'

/**
 * All processes together beat once in so many seconds. Each commit makes cached lists read again, so ten processes should
 * not commit ten times.
 */
const beatSeconds = 5

/** An outage that a beat has noticed. */
export interface Outage {
  seconds: number
  nothingLapsesBefore: Date
}

/**
 * Beats the heart, unless a process has just done it. Returns the outage that this beat ends, if there is one: deadlines
 * are stretched by its length then. Without a bounty there is no deadline, and a new installation has had no outage.
 */
export async function beat(db: Database): Promise<Outage | undefined> {
  const { rows } = await sql<{ seconds: number; nothing_lapses_before: Date; has_bounties: boolean }>`
    with last as (
      select beaten_at from heartbeat
      where abs(extract(epoch from now() - beaten_at)) >= ${sql.lit(beatSeconds)}
      for no key update)
    update heartbeat set beaten_at = now(), nothing_lapses_before = ${stretchedUntil}
    from last
    returning extract(epoch from now() - last.beaten_at)::float8 as seconds, nothing_lapses_before,
      exists (select from bounties) as has_bounties`.execute(db)
  const [beaten] = rows
  return beaten?.has_bounties && beaten.seconds > outageSeconds
    ? { seconds: beaten.seconds, nothingLapsesBefore: beaten.nothing_lapses_before }
    : undefined
}

/** A claim that has lapsed. */
export interface LapsedClaim {
  bountyId: string
  claimant: string
}

/**
 * Opens up to `limit` bounties whose claims have lapsed, those that lapsed first, and records it. Leaves out bounties that
 * a request has locked: that step of the bounty decides, and the next search sees what it did. Locks bounties as
 * `lockBounty` does, before everything else.
 */
export async function openLapsed(db: Database, limit: number): Promise<LapsedClaim[]> {
  const entryIds = Array.from({ length: limit }, () => newId('activity'))
  const lapsed = endedClaims('lapsed', sql`due`, sql`entry_id`)
  const { rows } = await againAfterConflict(() =>
    sql<LapsedClaim>`
    with locked as (
      select id, project_id, claimed_by, claimed_at from bounties
      where ${claimHasLapsed}
      order by claim_expires_at limit ${limit}
      for no key update skip locked),
    due as materialized (
      select id, project_id, claimed_by as former_claimant, claimed_at as formerly_claimed_at,
        (${entryIds}::text[])[row_number() over ()] as entry_id
      from locked),
    opened as (
      update bounties set status = 'open', claimed_by = null, claimed_at = null, claim_expires_at = null, extensions_left = null
      from due where bounties.id = due.id),
    ended as ${lapsed.rows},
    entries as ${lapsed.entries}
    select id as "bountyId", former_claimant as claimant from due`.execute(db),
  )
  return rows
}

/**
 * Records up to `limit` reviews as overdue, those that were due first, each of them once. Returns the ids of their
 * submissions. Leaves out submissions that a request has locked, as `openLapsed` does.
 */
export async function recordOverdue(db: Database, limit: number): Promise<string[]> {
  const entryIds = Array.from({ length: limit }, () => newId('activity'))
  const entries = activityEntries(
    { type: 'submission.overdue' },
    {
      id: sql`entry_id`,
      agent_id: sql`agent_id`,
      project_id: sql`project_id`,
      bounty_id: sql`bounty_id`,
      submission_id: sql.ref('id'),
    },
    sql`due`,
  )
  const { rows } = await againAfterConflict(() =>
    sql<{ id: string }>`
    with locked as (
      select id, agent_id, project_id, bounty_id from submissions
      where overdue_at is null and status = 'pending' and review_due_at <= now() and ${reviewIsOverdue}
      order by review_due_at limit ${limit}
      for no key update skip locked),
    due as materialized (
      select *, (${entryIds}::text[])[row_number() over ()] as entry_id from locked),
    recorded as (update submissions set overdue_at = now() from due where submissions.id = due.id),
    entries as ${entries}
    select id from due`.execute(db),
  )
  return rows.map(({ id }) => id)
}
