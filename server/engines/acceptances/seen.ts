import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { latest, mergeOf } from '../../lifecycle/attribution.ts'
import { lockBounty } from '../../lifecycle/situation.ts'
import { RepositoryError } from '../../repositories/error.ts'
import type { PullRequestReading, SeenCommit } from '../../repositories/pull-requests.ts'
import type { Repositories } from '../../repositories/repositories.ts'
import { trackPullRequest } from '../pull-requests/record.ts'
import { readCurrent } from '../pull-requests/reports.ts'

/* Merges of pull requests that were seen to be work of a bounty's claim, whether they are submitted or not. */

/** Longest reading of the code host, in ms. */
const readingMs = 20_000

/** A pull request that was reported as merged, of the agent that holds the bounty. */
interface SeenMerge {
  bounty_id: string
  agent_id: string
  number: number
  project_id: string
  repo_url: string
  repository_id: number | null
  counts_from: Date
  claimed_at: Date
  submitted: SeenCommit | null
}

/**
 * Leases up to `limit` of them that are due. The next try is due after as long as the merge is known, at least a second and at most a
 * minute.
 */
async function leaseSeen(db: Database, limit: number): Promise<SeenMerge[]> {
  const { rows } = await sql<Omit<SeenMerge, 'submitted'> & { head_sha: string | null; seen_at: Date }>`
    with due as materialized (
      select bounty_id, agent_id, number from seen_pulls where look_at <= now() order by look_at limit ${limit}
      for no key update skip locked)
    update seen_pulls p set look_at = now() + least(greatest(now() - merged_at, interval '1 second'), interval '1 minute')
    from due, bounties, projects
    where (p.bounty_id, p.agent_id, p.number) = (due.bounty_id, due.agent_id, due.number)
      and bounties.id = p.bounty_id and projects.id = bounties.project_id
    returning p.bounty_id, p.agent_id, p.number, project_id, repo_url, repository_id, counts_from, p.head_sha, p.seen_at,
      case when claimed_by = p.agent_id then claimed_at else now() end as claimed_at`.execute(db)
  return rows.map(({ head_sha, seen_at, ...seen }) => ({
    ...seen,
    submitted: head_sha === null ? null : { sha: head_sha, seenAt: seen_at },
  }))
}

/**
 * Reads what was reported as merged. Where that accepts the work of the claim, no deadline ends the claim any more; and if another pull
 * request is in review for it, this one takes its place there, and is paid.
 * @returns whether more may be due
 */
export async function takeUpSeen(
  { db, repositories }: { db: Database; repositories: Repositories },
  limit: number,
): Promise<boolean> {
  const due = await leaseSeen(db, limit)
  const results = await Promise.allSettled(due.map((seen) => takeUp(db, repositories, seen)))
  for (const result of results)
    if (result.status === 'rejected' && !(result.reason instanceof RepositoryError)) throw result.reason
  return due.length === limit
}

async function takeUp(db: Database, repositories: Repositories, seen: SeenMerge): Promise<void> {
  const { bounty_id, agent_id, number, project_id: projectId, repo_url: repoUrl, repository_id } = seen
  const pull = { url: `${repoUrl}/pull/${number}`, projectId, repoUrl, repositoryId: repository_id }
  const reading = await readCurrent(db, repositories, pull, { submitted: seen.submitted }, readingMs)
  const merge_counts_from = latest(seen.claimed_at, seen.counts_from)
  const work = { bounty_id, agent_id, is_attributed: true, merge_counts_from }
  const isAccepted = reading?.repositoryId === repository_id && mergeOf(reading.facts, work) === 'accepted'
  await inTransaction(db, async (trx) => {
    await lockBounty(trx, bounty_id)
    await trx
      .updateTable('seen_pulls')
      .set({ look_at: null, ...(!isAccepted && { merged_at: null }) })
      .where((row) => row.and({ bounty_id, agent_id, number }))
      .execute()
    if (isAccepted) await submitInstead(trx, { ...work, ...pull }, reading)
  })
}

/** Puts a merged pull request in the place of the one that its agent has in review for the bounty, if that is another one. */
async function submitInstead(
  trx: Database,
  {
    bounty_id,
    agent_id,
    merge_counts_from,
    ...pull
  }: { bounty_id: string; agent_id: string; merge_counts_from: Date; url: string; projectId: string },
  reading: PullRequestReading,
): Promise<void> {
  const { rows } = await sql`
    update submissions set pr_url = ${pull.url}, head_sha = ${reading.facts.head_sha}, is_attributed = true,
      merge_counts_from = ${merge_counts_from}
    where bounty_id = ${bounty_id} and agent_id = ${agent_id} and status = 'pending' and pr_url <> ${pull.url}
      and not exists (select from submissions other where other.pr_url = ${pull.url} and status in ('pending', 'approving', 'approved'))
    returning id`.execute(trx)
  if (rows.length > 0) await trackPullRequest(trx, pull, reading)
}
