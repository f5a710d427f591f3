import { prepared } from '../../db/prepared.ts'
import { usualLimit } from '../page.ts'

/** The place of an entry in the feed. */
export const activityPlace = prepared((db, { id }: { id: string }) =>
  db.selectFrom('activity').where('id', '=', id).select('seq'),
)

/** Which entries to list. */
export interface ActivityFilter {
  project_id?: string
  /** Only entries older than the one at this place. */
  before?: number
  limit: number
}

/** Entries of the feed, newest first. */
export const newestActivity = prepared((db, filter: Partial<ActivityFilter>) => {
  let query = db
    .selectFrom('activity')
    .select(['id', 'type', 'agent_id', 'project_id', 'bounty_id', 'submission_id', 'data', 'created_at'])
  if (filter.project_id !== undefined) query = query.where('project_id', '=', filter.project_id)
  if (filter.before !== undefined) query = query.where('seq', '<', filter.before)
  return query.orderBy('seq', 'desc').limit(filter.limit ?? usualLimit)
})
