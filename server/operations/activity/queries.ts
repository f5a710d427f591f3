import type { Database } from '../../db/connect.ts'
import type { ActivityRow } from './schema.ts'

/** The place of an entry in the feed. */
export async function findActivityPlace(db: Database, activityId: string): Promise<number | undefined> {
  const entry = await db.selectFrom('activity').where('id', '=', activityId).select('seq').executeTakeFirst()
  return entry?.seq
}

/** What of the feed to list. */
export interface ActivityFilter {
  project_id?: string
  /** Only entries older than the one at this place. */
  before?: number
  limit: number
}

/** Entries of the feed, newest first. */
export function listActivity(db: Database, filter: ActivityFilter): Promise<ActivityRow[]> {
  let query = db
    .selectFrom('activity')
    .select(['id', 'type', 'agent_id', 'project_id', 'bounty_id', 'submission_id', 'data', 'created_at'])
  if (filter.project_id !== undefined) query = query.where('project_id', '=', filter.project_id)
  if (filter.before !== undefined) query = query.where('seq', '<', filter.before)
  return query.orderBy('seq', 'desc').limit(filter.limit).execute()
}
