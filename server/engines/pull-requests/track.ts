import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { PullRequestReading } from '../../repositories/pull-requests.ts'
import { columnsOf, type TrackedPullRequest } from './store.ts'

/**
 * Stores what the host reported about the pull request of a new submission. If facts about it are stored, it is read again at
 * once instead, and the change announced.
 */
export async function trackPullRequest(
  trx: Database,
  { url, projectId }: Pick<TrackedPullRequest, 'url' | 'projectId'>,
  reading: PullRequestReading,
): Promise<void> {
  const soon = sql<Date>`now() + interval '1 minute'`
  await trx
    .insertInto('pull_requests')
    .values({
      ...{ url, project_id: projectId, number: Number(url.match(/\d+$/)?.[0]) },
      ...{ ...columnsOf(reading), due_at: reading.facts.merged ? null : soon },
    })
    .onConflict((conflict) =>
      conflict.column('url').doUpdateSet({ due_at: sql`case when not pull_requests.merged then now() end` }),
    )
    .execute()
}
