import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { acceptanceBlocks } from '../../events/acceptance-blocks.ts'
import { recordActivity } from '../../events/record.ts'
import { acceptsAt } from '../../lifecycle/deadlines.ts'
import type { ClaimedWork, MergeFacts } from '../../lifecycle/pull-requests/attribution.ts'
import { growingPause } from '../../loops/timing.ts'
import type { RuledWork } from './rule.ts'

/** A submission in review that is accepted, or may be, as far as is stored. */
export interface AcceptedWork extends ClaimedWork, MergeFacts, Omit<RuledWork, 'rule'> {
  /** The newest commit, or the one that was merged, and when it was first seen as the agent's. */
  head_sha: string
  seen_at: Date | null
  founder_id: string
  /** By which the founder's silence accepts; null if it does not. */
  rule: RuledWork['rule'] | null
}

/** Whether work is due. */
export const hasDueWork = () => sql`exists (select from pull_requests where acceptance_due_at <= now())`

/**
 * Leases up to `limit` submissions that are due, those first that were due first. The next try is due after as long as the facts are
 * known, at least a minute and at most an hour, also where the process dies or the payout fails; none where no review goes on.
 */
export async function leaseWork(db: Database, limit: number): Promise<AcceptedWork[]> {
  const { rows } = await sql<AcceptedWork>`
    with due as materialized (
      select url from pull_requests where acceptance_due_at <= now() order by acceptance_due_at limit ${limit}
      for no key update skip locked),
    leased as (
      update pull_requests p set acceptance_due_at = case when s.id is not null
        then now() + ${growingPause(sql`p.refreshed_at`, { least: 60, most: 3600 })} end
      from due left join submissions s on s.pr_url = due.url and s.status in ('pending', 'approving')
      where p.url = due.url
      returning p.url, p.merged, p.opened_at, p.merged_at, p.merged_by_itself, p.merged_by_id,
        p.merge_commit_sha, p.author_id, p.fork_owner_id, p.head_sha, p.changed_at, s.id as submission_id, p.acceptance_due_at::text as marker)
    select leased.*, submissions.bounty_id, submissions.agent_id, is_attributed, merge_counts_from, h.seen_at, submissions.project_id,
      j.founder_id, j.repo_url, j.repository_id, b.acceptance as rule, acceptance_seen as seen, (${acceptsAt} <= now()) is true as is_over
    from leased join submissions on submissions.id = submission_id and submissions.status = 'pending'
      join bounties b on b.id = submissions.bounty_id join projects j on j.id = submissions.project_id
      left join seen_heads h on h.project_id = j.id and h.agent_id = submissions.agent_id and h.head_sha = leased.head_sha`.execute(
    db,
  )
  return rows
}

/**
 * The code host did not respond, or showed an older state: the next try is due after as long as the merge is known, at least a second and
 * at most a minute, so that what was merged is paid soon once the host is well.
 */
export async function trySoon(db: Database, url: string): Promise<void> {
  await sql`update pull_requests
    set acceptance_due_at = least(acceptance_due_at,
      now() + ${growingPause(sql`refreshed_at`, { least: 1, most: 60 })})
    where url = ${url} and acceptance_due_at is not null`.execute(db)
}

/** The host shows otherwise whether it is merged than is stored: the next reading records that. */
export async function readNow(db: Database, url: string): Promise<void> {
  await db.updateTable('pull_requests').set({ due_at: sql`now()` }).where('url', '=', url).execute()
}

/** Stores why accepted work cannot be paid yet. Both sides hear of it once for each reason. */
export function storeBlock(
  db: Database,
  submissionId: string,
  reason: (typeof acceptanceBlocks)[number],
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const blocked = await trx
      .updateTable('submissions')
      .set({ acceptance_blocked: reason })
      .where('id', '=', submissionId)
      .where('status', '=', 'pending')
      .where('acceptance_blocked', 'is distinct from', reason)
      .returning(['id as submission_id', 'agent_id', 'bounty_id', 'project_id'])
      .executeTakeFirst()
    if (blocked) await recordActivity(trx, { ...blocked, type: 'acceptance.blocked', data: { reason } })
  })
}
