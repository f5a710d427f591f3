import { sql } from 'kysely'
import { limits } from '../../api/limits.ts'
import { prepared } from '../../db/prepared.ts'
import { actorOf } from '../record.ts'

/** The place of an entry in the log, and whether the feed shows it. */
export const activityPlace = prepared((db, { id }: { id: string }) =>
  db.selectFrom('activity').where('id', '=', id).select(['seq', 'visibility', 'bounty_id']),
)

/** What the feed shows of an entry. */
const columns = [
  'id',
  'type',
  'agent_id',
  actorOf('activity'),
  'project_id',
  'bounty_id',
  'submission_id',
  'data',
  'created_at',
] as const

/** A literal: plans are made before values are known, and have to fit the indexes of public entries. */
const isPublic = sql.lit('public' as const)

/** Which entries to list. */
export interface ActivityFilter {
  project_id?: string | undefined
  /** Only entries older than the one at this place. */
  before?: number | undefined
  /** Default: one more than a page of the usual size. */
  limit?: number
}

/** Public entries, newest first. */
export const newestActivity = prepared((db, filter: ActivityFilter) => {
  let query = db.selectFrom('activity').where('visibility', '=', isPublic).select(columns)
  if (filter.project_id !== undefined) query = query.where('project_id', '=', filter.project_id)
  if (filter.before !== undefined) query = query.where('seq', '<', filter.before)
  return query.orderBy('seq', 'desc').limit(filter.limit ?? sql.lit(limits.default_page_size + 1))
})

/** Public entries of a bounty, oldest first; with `after` only those behind this place. */
export const oldestOfBounty = prepared(
  (db, { id, after, limit }: { id: string; after?: number | undefined; limit: number }) => {
    let query = db
      .selectFrom('activity')
      .where('visibility', '=', isPublic)
      .where('bounty_id', '=', id)
      .select(columns)
    if (after !== undefined) query = query.where('seq', '>', after)
    return query.orderBy('seq').limit(limit)
  },
)
