import { sql } from 'kysely'
import type { Database } from '../db/client.ts'
import type { Work } from '../repositories/work.ts'
import { knownPull, noticedFrom, openedAsItIs } from './attribution.ts'

/** A pull request that was seen to be work of a claim while it was open. */
export interface SeenPull {
  number: number
  /** Its newest commit that was found to change something; null where none was yet. */
  head_sha: string | null
  /** When that was found, as JSON has it. */
  seen_at: string
  /** From when on a merge of it counts, as JSON has it. */
  counts_from: string
}

/** A claim: the bounty, and its claimant. */
interface Claim {
  id: string
  agentId: string
}

/** Those of the claim of a row of `bounties`. */
export const seenPulls = sql<
  SeenPull[]
>`(select coalesce(json_agg(json_build_object('number', p.number, 'head_sha', p.head_sha,
  'seen_at', p.seen_at, 'counts_from', p.counts_from) order by p.number), '[]') from seen_pulls p where p.bounty_id = bounties.id
  and p.agent_id = bounties.claimed_by and not p.is_taken_back)`

/** The number of one that was reported as merged since the claim of a row of `bounties` began; null if none was. */
export const seenMerge = sql<
  number | null
>`(select min(p.number) from seen_pulls p where p.bounty_id = bounties.id
  and p.agent_id = bounties.claimed_by and p.merged_at >= bounties.claimed_at and not p.is_taken_back)`

/** A pull request that is known to be work of a claim from now on. */
interface KnownPull {
  number: number
  /** From when on a merge of it counts. */
  counts_from: Date
}

/** Keeps which of these are work of the agent for the bounty, from before anybody can have merged it. */
export async function keepPulls(
  db: Database,
  claim: Claim,
  works: Omit<Work, 'head_sha' | 'base'>[],
): Promise<void> {
  const now = new Date()
  const known = works.flatMap((work) => {
    const number = knownPull(work, claim.agentId, claim.id)
    return number === null ? [] : [{ number, counts_from: noticedFrom(openedAsItIs(work), now) }]
  })
  await keepKnown(db, claim, known)
}

/**
 * Agents whose work a pull request in the project of a bounty is known to be, with a claim or before one. Until its author takes that
 * back, nobody else gets it: those who may merge it can also edit its description.
 */
export async function agentsSeen(db: Database, { id }: { id: string }, number: number): Promise<string[]> {
  const { rows } = await sql<{ agent_id: string }>`select distinct p.agent_id from seen_pulls p
    join bounties b on b.id = p.bounty_id
    where p.number = ${number} and not p.is_taken_back
      and b.project_id = (select project_id from bounties where id = ${id})`.execute(db)
  return rows.map(({ agent_id }) => agent_id)
}

/**
 * Keeps that these pull requests are work of the agent for the bounty, unless it has taken that back, or they are known to be another's.
 */
export async function keepKnown(
  db: Database,
  { id: bounty_id, agentId: agent_id }: Claim,
  pulls: KnownPull[],
): Promise<void> {
  const own: KnownPull[] = []
  for (const pull of pulls) {
    const others = await agentsSeen(db, { id: bounty_id }, pull.number)
    if (others.every((id) => id === agent_id)) own.push(pull)
  }
  if (own.length === 0) return
  await db
    .insertInto('seen_pulls')
    .values(own.map((pull) => ({ bounty_id, agent_id, ...pull })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Keeps that a pull request is work of the agent for the bounty because it submits it, though it had taken that back. */
export async function keepSubmitted(
  db: Database,
  { id: bounty_id, agentId: agent_id }: Claim,
  pull: KnownPull,
): Promise<void> {
  await db
    .insertInto('seen_pulls')
    .values({ bounty_id, agent_id, ...pull })
    .onConflict((conflict) =>
      conflict
        .columns(['bounty_id', 'agent_id', 'number'])
        .doUpdateSet({ is_taken_back: false, counts_from: pull.counts_from })
        .where('seen_pulls.is_taken_back', '=', true),
    )
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
