import { newId } from '../ids.ts'
import type { Database } from './client.ts'
import type { JsonObject } from './generated/tables.ts'

/** Types of entries in the public feed. */
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

/** Records `entry` in the transaction that makes it true. */
export async function recordActivity(trx: Database, entry: ActivityEntry): Promise<void> {
  await trx
    .insertInto('activity')
    .values({ ...entry, id: newId('activity'), data: JSON.stringify(entry.data ?? {}) })
    .execute()
}
