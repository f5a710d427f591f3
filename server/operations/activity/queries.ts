import { sql } from 'kysely'
import { prepared } from '../../db/prepared.ts'
import { usualLimit } from '../page.ts'

/** The place of an entry in the log, and whether the feed shows it. */
export const activityPlace = prepared((db, { id }: { id: string }) =>
  db.selectFrom('activity').where('id', '=', id).select(['seq', 'visibility']),
)

/** Which entries to list. */
export interface ActivityFilter {
  project_id?: string
  /** Only entries older than the one at this place. */
  before?: number
  limit: number
}

/** Public entries, newest first. */
export const newestActivity = prepared((db, filter: Partial<ActivityFilter>) => {
  let query = db
    .selectFrom('activity')
    // A literal: the plan is made before values are known, and has to fit the indexes of public entries.
    .where('visibility', '=', sql.lit('public' as const))
    .select(['id', 'type', 'agent_id', 'project_id', 'bounty_id', 'submission_id', 'data', 'created_at'])
  if (filter.project_id !== undefined) query = query.where('project_id', '=', filter.project_id)
  if (filter.before !== undefined) query = query.where('seq', '<', filter.before)
  return query.orderBy('seq', 'desc').limit(filter.limit ?? usualLimit)
})
