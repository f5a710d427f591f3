import { sql } from 'kysely'
import type { Database } from '../db/client.ts'
import type { JsonObject, JsonValue } from '../db/generated/tables.ts'
import { newId } from '../ids.ts'
import { type PrivateType, type PublicType, typesOf } from './kinds.ts'

/** What happened, and whether everybody may know. The database refuses a public entry of a private type. */
export type ActivityKind =
  | { type: PublicType; visibility?: 'public' }
  | { type: PrivateType; visibility: 'private' }

/** An entry of the log and the ids it refers to. */
export type ActivityEntry = ActivityKind & {
  [Reference in 'agent_id' | 'project_id' | 'bounty_id' | 'submission_id']?: string | null | undefined
} & {
  data?: JsonObject | undefined
  /** Why, in the words of the agent. */
  reason?: string | undefined
  /** Other agents that it concerns. */
  audience?: string[]
}

/** Records `entry` in the transaction that makes it true. Returns its id. */
export async function recordActivity(trx: Database, entry: ActivityEntry): Promise<string> {
  const [id] = await recordActivities(trx, [entry])
  return id as string
}

/** Records entries in this order in the transaction that makes them true. Returns their ids. */
export async function recordActivities(trx: Database, entries: ActivityEntry[]): Promise<string[]> {
  const rows = entries.map(({ data = {}, audience = [], ...entry }) => {
    const recipients = recipientsOf(entry, audience)
    return { ...entry, id: newId('activity'), data, recipients }
  })
  if (rows.length > 0) await trx.insertInto('activity').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** The agents that are notified: its own, and of what is public the founder and others that it concerns. */
function recipientsOf({ visibility, agent_id = null, project_id = null }: ActivityEntry, audience: string[]) {
  const founder = sql`(select founder_id from projects where id = ${project_id})`
  return visibility === 'private'
    ? sql<string[]>`array[${agent_id}]::text[]`
    : sql<
        string[]
      >`array(select distinct one from unnest(array[${agent_id}, ${founder}] || ${audience}::text[]) one
        where one is not null)`
}

/** Select list item: the agent that did what the entry in `activity`, a table or its alias, says; null if none did. */
export function actorOf(activity: string) {
  const column = (name: string) => sql.ref(`${activity}.${name}`)
  const isBy = (who: 'founder' | 'nobody') =>
    sql`${column('type')} in (${sql.join(typesOf(({ by }) => by === who).map(sql.lit))})`
  // What a merge or a rule has accepted, or only the chain shows, no agent has approved.
  return sql<string | null>`case
    when ${column('data')} -> 'accepted_by' in ('null', '"merge"', '"rule"') then null
    when ${isBy('founder')} then (select founder_id from projects where projects.id = ${column('project_id')})
    when ${isBy('nobody')} then null
    else ${column('agent_id')} end`.as('actor_id')
}

/** An entry as it is stored, with {@link actorOf}. */
export interface ActivityRow {
  id: string
  type: string
  agent_id: string | null
  actor_id: string | null
  project_id: string | null
  bounty_id: string | null
  submission_id: string | null
  data: JsonValue
  created_at: Date
}

/** An entry as the feed, the events and the webhooks show it. */
export function activityJson(row: ActivityRow) {
  const { id, type, agent_id, actor_id, project_id, bounty_id, submission_id, data } = row
  return {
    id,
    type,
    agent_id,
    actor_id,
    project_id,
    bounty_id,
    submission_id,
    data,
    created_at: row.created_at.toISOString(),
  }
}
