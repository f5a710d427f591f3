import { sql } from 'kysely'
import { RepositoryError } from '../../code/host/error.ts'
import type { SeenCommit } from '../../code/host/pull-requests.ts'
import type { Repositories } from '../../code/host/repositories.ts'
import { trackPullRequest } from '../../code/pull-requests/record.ts'
import { readCurrent } from '../../code/pull-requests/reports.ts'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { newId } from '../../ids.ts'
import { inDays } from '../../lifecycle/deadlines.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move } from '../../lifecycle/move.ts'
import { isWorkOf, mergeOf } from '../../lifecycle/pull-requests/attribution.ts'
import { claimGoesOn, endedFrom } from '../../lifecycle/pull-requests/seen-pulls.ts'
import { lockBounty, readSituation } from '../../lifecycle/situation.ts'
import { growingPause } from '../../loops/timing.ts'

/*
 * Merges of pull requests that were seen to be work of a bounty's claim and are not submitted. Where that accepts the work, no deadline
 * ends the claim; once the deadline is over, the pull request is submitted for its claimant.
 */

/** Readings of the code host find out whether something is merged. */
export const forMerge = { onlyMerge: true, mostMs: 20_000 }

/** A pull request that was reported as merged, of the agent that holds the bounty. */
interface SeenMerge {
  bounty_id: string
  agent_id: string
  number: number
  project_id: string
  repo_url: string
  repository_id: number | null
  claimed_at: Date
  submitted: SeenCommit | null
}

/** A row of the lease. `look_at` is null where the claim is over. */
type LeasedMerge = Omit<SeenMerge, 'submitted'> & {
  look_at: Date | null
  head_sha: string | null
  seen_at: Date
}

/** Whether one of them is due. */
export const hasSeen = () => sql`exists (select from seen_pulls where look_at <= now())`

/**
 * Leases up to `limit` of them that are due. The next try is due after as long as the merge is known, at least a second and at most a
 * minute; there is none where the claim is over. What was merged after it ended against its agent's will is only counted.
 */
async function leaseSeen(db: Database, limit: number): Promise<SeenMerge[]> {
  const { rows } = await sql<LeasedMerge>`
    with due as materialized (
      select bounty_id, agent_id, number from seen_pulls where look_at <= now() order by look_at limit ${limit}
      for no key update skip locked)
    update seen_pulls p set look_at = case
      when ${claimGoesOn} then now() + ${growingPause(sql`merged_at`, { least: 1, most: 60 })}
      when ${endedFrom} is not null then now() + ${growingPause(sql`merged_at`, { least: 1, most: 3600 })} end
    from due, bounties, projects
    where (p.bounty_id, p.agent_id, p.number) = (due.bounty_id, due.agent_id, due.number)
      and bounties.id = p.bounty_id and projects.id = bounties.project_id
    returning p.look_at, p.bounty_id, p.agent_id, p.number, project_id, repo_url, repository_id, p.head_sha,
      case when ${claimGoesOn} then claimed_at else ${endedFrom} end as claimed_at,
      p.seen_at`.execute(db)
  return rows
    .filter(({ look_at }) => look_at !== null)
    .map(({ head_sha, seen_at, ...seen }) => ({
      ...seen,
      submitted: head_sha === null ? null : { sha: head_sha, seenAt: seen_at },
    }))
}

/** What taking them up needs. */
export interface TakeUpOptions {
  db: Database
  repositories: Repositories
  /** Days that a founder has for a review. */
  reviewDays: number
}

/**
 * Reads what was reported as merged, and takes up what accepts the work of a claim: if another pull request is in review for it, this one
 * takes its place there, and is paid.
 * @returns whether more may be due
 */
export async function takeUpSeen(options: TakeUpOptions, limit: number): Promise<boolean> {
  const due = await leaseSeen(options.db, limit)
  const results = await Promise.allSettled(due.map((seen) => takeUp(options, seen)))
  for (const result of results)
    if (result.status === 'rejected' && !(result.reason instanceof RepositoryError)) throw result.reason
  return due.length === limit
}

async function takeUp(options: TakeUpOptions, seen: SeenMerge): Promise<void> {
  const { db, repositories, reviewDays } = options
  const { bounty_id: id, agent_id: caller, number, project_id: projectId } = seen
  const { repo_url: repoUrl, repository_id: repositoryId } = seen
  const pull = { url: `${repoUrl}/pull/${number}`, projectId, repoUrl, repositoryId, agentId: caller }
  const reading = await readCurrent(db, repositories, pull, { submitted: seen.submitted }, forMerge)
  const merge_counts_from = seen.claimed_at
  if (!reading) return lookLater(db, seen)
  const is_attributed = isWorkOf(reading.facts, caller, id)
  const isAccepted = mergeOf(reading.facts, { is_attributed, merge_counts_from }) === 'accepted'
  await inTransaction(db, async (trx) => {
    await lockBounty(trx, id)
    const { status, claimed_by, expires_at } = await readSituation(trx, { id, caller })
    const isClaimed = status === 'claimed' && claimed_by === caller
    const look_at = isAccepted && isClaimed ? expires_at : null
    const isOver = look_at !== null && look_at <= new Date()
    await trx
      .updateTable('seen_pulls')
      .set({ look_at: isOver ? null : look_at, ...(!isAccepted && { merged_at: null }) })
      .where((row) => row.and({ bounty_id: id, agent_id: caller, number }))
      .execute()
    if (!isAccepted) return
    const { head_sha } = reading.facts
    const row = { pr_url: pull.url, head_sha, is_attributed: true, merge_counts_from }
    const submission = { ...row, id: newId('submission'), review_due_at: inDays(reviewDays) }
    if (isOver)
      await move(trx, edges.submit, { id, caller, stores: submission, head: head_sha, is_accepted: true })
    if (isOver || (await submitInstead(trx, { id, caller }, row))) await trackPullRequest(trx, pull, reading)
  })
}

/**
 * The host has hidden the pull request, or lost it. What it has reported of it stays, and it is read again after as long as the merge is
 * known, at least a second and at most an hour.
 */
async function lookLater(db: Database, { bounty_id, agent_id, number }: SeenMerge): Promise<void> {
  await sql`update seen_pulls set look_at = now() + ${growingPause(sql`merged_at`, { least: 1, most: 3600 })}
    where (bounty_id, agent_id, number) = (${bounty_id}, ${agent_id}, ${number}) and look_at is not null`.execute(
    db,
  )
}

/**
 * Puts a merged pull request in the place of the one that its agent has in review for the bounty.
 * @returns whether there was another one
 */
async function submitInstead(
  trx: Database,
  { id, caller }: { id: string; caller: string },
  row: { pr_url: string; head_sha: string; is_attributed: boolean; merge_counts_from: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('submissions')
    .set(row)
    .where((submission) => submission.and({ bounty_id: id, agent_id: caller, status: 'pending' }))
    .where('pr_url', '<>', row.pr_url)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
