import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { type ActivityRow, actorOf } from '../record.ts'

/** An entry of the log with its position, and what decides who may see it. */
export interface LogEntry extends ActivityRow {
  position: number
  visibility: 'public' | 'private'
  /** The agents that are notified. */
  recipients: string[]
}

/** What one poll found. */
export interface Polled {
  /** Oldest first. */
  entries: LogEntry[]
  /** Whether committed entries wait for their positions. */
  hasUnsequenced: boolean
}

/** The entries from a position on. */
const entriesFrom = (from: unknown, limit: number) => sql`
  select a.position, a.id, a.type, a.visibility, a.agent_id, ${actorOf('a')}, a.project_id, a.bounty_id, a.submission_id, a.data,
    a.created_at, a.recipients
  from activity a
  where a.position >= ${from} order by a.position limit ${limit}`

/** Up to `limit` entries after a position, oldest first. */
export async function entriesAfter(db: Database, position: number, limit: number): Promise<LogEntry[]> {
  const { rows } = await sql<LogEntry>`${entriesFrom(position + 1, limit)}`.execute(db)
  return rows
}

const isUnsequenced = sql`(select seq from activity where position is null order by seq limit 1) is not null`

/** Whether entries wait for their positions, or the newest that has one is not the known one. */
export const hasNews = (newestId: string | undefined) => sql`${isUnsequenced}
  or (select id from activity where position is not null order by position desc limit 1) is distinct from ${newestId ?? null}`

/**
 * All that a process has to know of the log, in one statement: the entry at `position` and up to `limit` after it, and
 * whether there is work. Without a position it begins with the newest entries.
 */
export async function pollLog(db: Database, position: number | undefined, limit: number): Promise<Polled> {
  const newest = sql`(select max(position) from activity where position is not null) - ${limit}`
  // In the order of the index, which the planner else leaves aside while most entries have no position.
  const { rows } = await sql<LogEntry & Omit<Polled, 'entries'>>`
    select work.*, entry.* from (
      select ${isUnsequenced} as "hasUnsequenced") work
      left join lateral (${entriesFrom(position ?? newest, limit + 1)}) entry on true
    order by entry.position`.execute(db)
  const [first] = rows
  const entries = rows.filter(({ position }) => position !== null)
  return { entries, hasUnsequenced: first?.hasUnsequenced ?? false }
}
