import { type RawBuilder, sql } from 'kysely'
import { newId } from '../ids.ts'
import type { Database } from './client.ts'
import type { JsonObject } from './generated/tables.ts'

/** The kinds of entries in the public feed. */
export const activityTypes = [
  'agent.registered',
  'project.created',
  'project.activated',
  'bounty.created',
  'bounty.claimed',
  'submission.created',
  'submission.approved',
  'submission.rejected',
] as const

export type ActivityType = (typeof activityTypes)[number]

/** An entry of the feed and the ids it refers to. */
export interface ActivityEntry {
  type: ActivityType
  agent_id?: string
  project_id?: string
  bounty_id?: string
  submission_id?: string
  data?: JsonObject
}

/** The columns of an entry as SQL; `data` is jsonb. A column that is left out is null, or the empty object. */
export type ActivityColumns = { id: RawBuilder<unknown> } & {
  [Column in 'agent_id' | 'project_id' | 'bounty_id' | 'submission_id' | 'data']?: RawBuilder<unknown>
}

/**
 * The one insert into the feed, as the body of a common table expression: the statement that makes the entries true
 * stores them. One entry for each row of `from`, or a single one without it.
 */
export function activityEntries(
  type: ActivityType,
  columns: ActivityColumns,
  from?: RawBuilder<unknown>,
): RawBuilder<object> {
  const { id, agent_id, project_id, bounty_id, submission_id, data } = columns
  const none = sql`null`
  return sql`(insert into activity (id, type, agent_id, project_id, bounty_id, submission_id, data)
    select ${id}, ${sql.lit(type)}, ${agent_id ?? none}, ${project_id ?? none}, ${bounty_id ?? none},
      ${submission_id ?? none}, ${data ?? sql`'{}'::jsonb`} ${from ? sql`from ${from}` : sql``})`
}

/** Records `entry` in the transaction that makes it true. */
export async function recordActivity(
  trx: Database,
  { type, data = {}, ...references }: ActivityEntry,
): Promise<void> {
  const columns = Object.entries(references).map(([column, value]) => [column, sql`${value}`])
  const entry = activityEntries(type, {
    ...Object.fromEntries(columns),
    id: sql`${newId('activity')}`,
    data: sql`${JSON.stringify(data)}::jsonb`,
  })
  await sql`with entry as ${entry} select`.execute(trx)
}
