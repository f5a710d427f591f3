import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { type StoredPullRequest, submissionsRead } from './store.ts'

const minute = 60
const hour = 3600
const day = 86_400

/**
 * Seconds until a pull request is read again; null: never. Soon while its review or its merge is to come, once a day when its
 * last submission has ended or its review has lasted a month, because a founder may still merge it, and never again once it is merged
 * or its last submission ended a month ago.
 * @param hasWebhook whether the host reports changes itself
 * @param before what was stored before this reading, and how many seconds old that was
 */
export async function nextReading(
  trx: Database,
  pull: Pick<StoredPullRequest, 'url' | 'state' | 'merged' | 'mergeable' | 'checks_state'>,
  hasWebhook: boolean,
  before: { state: string; mergeable: boolean | null; age: number } = { state: '', mergeable: true, age: 0 },
): Promise<number | null> {
  const { rows } = await sql<{
    [Condition in 'is_recent' | 'is_in_review' | 'is_wanted']: boolean | null
  }>`
    select max(coalesce(reviewed_at, created_at)) > now() - interval '30 days' as is_recent,
      bool_or(status in ('pending', 'approving')) as is_in_review,
      bool_or(status in ('pending', 'approving', 'approved')) as is_wanted
    from (select * from submissions where pr_url = ${pull.url} limit ${sql.lit(submissionsRead)}) submitted`.execute(
    trx,
  )
  if (pull.merged) return null
  if (!rows[0]?.is_recent) return rows[0]?.is_in_review ? day : null
  if (!rows[0].is_wanted) return day
  // A host that has the repository and lacks one of its pull requests may lag.
  if (pull.state === 'gone') return before.state !== 'gone' || before.age < hour ? minute : hour
  const usual = pull.checks_state === 'pending' ? 2 * minute : hasWebhook ? 30 * minute : 10 * minute
  if (pull.state !== 'open' || pull.mergeable !== null) return usual
  // While the host finds out whether it can be merged, the pauses double.
  return Math.min(before.mergeable === null ? Math.max(2 * before.age, 30) : 30, usual)
}
