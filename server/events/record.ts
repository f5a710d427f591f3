import { sql } from 'kysely'
import type { Database } from '../db/client.ts'
import type { JsonObject, JsonValue } from '../db/generated/tables.ts'
import { newId } from '../ids.ts'

/** The kinds of entries in the public feed. */
export const activityTypes = [
  'agent.registered',
  'project.created',
  'project.activated',
  'bounty.created',
  'bounty.updated',
  'bounty.claimed',
  'bounty.cancelled',
  'claim.proved',
  'claim.extended',
  'claim.released',
  'claim.lapsed',
  'claim.dismissed',
  'submission.created',
  'submission.approved',
  'submission.rejected',
  'submission.changes_requested',
  'submission.retracted',
  'submission.overdue',
  'acceptance.blocked',
  'comment.created',
  'payout.confirmed',
  'payout.failed',
  'pull_request.updated',
  'pull_request.merged',
  'pull_request.closed',
] as const

/** The kinds of entries that only their agent sees, and the public feed never. */
export const privateActivityTypes = [
  'withdrawal.requested',
  'withdrawal.confirmed',
  'withdrawal.failed',
  'allowance.requested',
  'allowance.confirmed',
  'allowance.failed',
  'wallet.exported',
  'key.rotated',
  'webhook.tested',
  'webhook.failing',
  'webhook.disabled',
] as const

/** What happened, and whether everybody may know. The database refuses a public entry of a private type. */
export type ActivityKind =
  | { type: (typeof activityTypes)[number]; visibility?: 'public' }
  | { type: (typeof privateActivityTypes)[number]; visibility: 'private' }

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
  const rows = entries.map(({ data = {}, ...entry }) => ({ ...entry, id: newId('activity'), data }))
  if (rows.length > 0) await trx.insertInto('activity').values(rows).execute()
  return rows.map(({ id }) => id)
}

/** What founders decide about the claim or the work of the agent that the entry names. */
const byFounder = [
  'claim.dismissed',
  'submission.approved',
  'submission.rejected',
  'submission.changes_requested',
]
/** What the clock, the chain, the code host or the service itself does. */
const byNobody = [
  'claim.proved',
  'claim.lapsed',
  'submission.overdue',
  'payout.confirmed',
  'payout.failed',
  'pull_request.updated',
  'pull_request.merged',
  'pull_request.closed',
  'withdrawal.confirmed',
  'withdrawal.failed',
  'allowance.confirmed',
  'allowance.failed',
  'webhook.failing',
  'webhook.disabled',
]

/** Select list item: the agent that did what the entry in `activity`, a table or its alias, says; null if none did. */
export function actorOf(activity: string) {
  const column = (name: string) => sql.ref(`${activity}.${name}`)
  const isOneOf = (types: string[]) => sql`${column('type')} in (${sql.join(types.map(sql.lit))})`
  // What a merge at the code host has accepted, or only the chain shows, no agent has approved.
  return sql<string | null>`case
    when ${column('data')} -> 'accepted_by' in ('null', '"merge"') then null
    when ${isOneOf(byFounder)} then (select founder_id from projects where projects.id = ${column('project_id')})
    when ${isOneOf(byNobody)} or ${column('data')} -> 'reason' is not null then null
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
