import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { isWorkOf, type Named } from './attribution.ts'

/** A pull request that was seen to be work of a claim. */
export interface SeenPull {
  number: number
  /** Its newest commit that was found to change something; null where none was yet. */
  head_sha: string | null
  /** When that was found, as JSON has it. */
  seen_at: string
}

/** A claim: the bounty, and its claimant. */
interface Claim {
  id: string
  agentId: string
}

/** Those of the claim of a row of `bounties`, with what was merged or changed something first, and then the newest. */
export const seenPulls = sql<
  SeenPull[]
>`(select coalesce(json_agg(json_build_object('number', p.number, 'head_sha', p.head_sha,
  'seen_at', p.seen_at) order by p.merged_at is null, p.head_sha is null, p.number desc), '[]') from seen_pulls p where p.bounty_id = bounties.id and p.agent_id = bounties.claimed_by)`

/** The number of one that was reported as merged since the claim of a row of `bounties` began; null if none was. */
export const seenMerge = sql<
  number | null
>`(select min(p.number) from seen_pulls p where p.bounty_id = bounties.id
  and p.agent_id = bounties.claimed_by and p.merged_at >= bounties.claimed_at)`

/** Whether the claim of a row `p` of `seen_pulls` goes on, where the row of `bounties` is read with it. */
export const claimGoesOn = sql<boolean>`(bounties.claimed_by = p.agent_id and bounties.status in ('claimed', 'in_review'))`

/** The claims of the agent and bounty of a row `p` of `seen_pulls` that lapsed or that the founder has ended, also by a rejection. */
export const claimsEnded = sql`(
  select claimed_at, ended_at from ended_claims e
  where e.bounty_id = p.bounty_id and e.agent_id = p.agent_id and e.ending <> 'released'
  union all
  select merge_counts_from, reviewed_at from submissions s
  where s.bounty_id = p.bounty_id and s.agent_id = p.agent_id and s.status = 'rejected')`

/** When the last of them began; null if there is none. */
export const endedFrom = sql<Date | null>`(select max(claimed_at) from ${claimsEnded} ended)`

/** Keeps which of these are work of the agent for the bounty. */
export async function keepPulls(
  db: Database,
  claim: Claim,
  works: (Named & { number: number | null })[],
): Promise<void> {
  const numbers = works.flatMap((work) =>
    work.number !== null && isWorkOf(work, claim.agentId, claim.id) ? [work.number] : [],
  )
  if (numbers.length === 0) return
  await db
    .insertInto('seen_pulls')
    .values(numbers.map((number) => ({ bounty_id: claim.id, agent_id: claim.agentId, number })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Has those that were merged since the claim began looked at again: another pull request was submitted. */
export async function lookAtMerged(db: Database, { id, agentId }: Claim): Promise<void> {
  await sql`update seen_pulls set look_at = clock_timestamp() from bounties
    where bounties.id = bounty_id and bounty_id = ${id} and agent_id = ${agentId} and merged_at >= claimed_at`.execute(
    db,
  )
}

/** Keeps the newest commit of such a pull request: it may come to the default branch by another way. */
export async function keepHead(
  db: Database,
  { id, agentId }: Claim,
  { number, head_sha }: { number: number | null; head_sha: string },
): Promise<void> {
  if (number === null) return
  await db
    .updateTable('seen_pulls')
    .set({ head_sha, seen_at: sql`clock_timestamp()` })
    .where((row) => row.and({ bounty_id: id, agent_id: agentId, number }))
    .where('head_sha', 'is distinct from', head_sha)
    .execute()
}
