import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import { nextLook, postponedProof, proofIsOver, waitsForList } from '../../lifecycle/deadlines.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move, moveAll } from '../../lifecycle/move.ts'
import type { Work } from '../host/work.ts'

/** A claim, and where its work would be seen. */
export interface SoughtClaim {
  /** Id of the bounty. */
  id: string
  agentId: string
  projectId: string
  claimedAt: Date
  repoUrl: string
  repositoryId: number | null
}

/** A claim whose work is sought now. */
export interface LeasedClaim extends SoughtClaim {
  /** Whether its proof time was over when the search began. */
  isOver: boolean
  /** Whether its deadline was, and whether it lapses depends on what the host has merged. */
  waitsForList: boolean
  /** When the search began, to the microsecond. */
  began: string
  /** `look_at` during the search, to the microsecond. Who wants another search sets another time. */
  marker: string
}

/** If the search fails, or the process ends during it, it is made again after so many seconds. */
const searchSeconds = 60

const sought = sql`bounties.id, claimed_by as "agentId", project_id as "projectId", claimed_at as "claimedAt",
  repo_url as "repoUrl", repository_id as "repositoryId"`

/** The claim of a bounty; undefined if it is not claimed. */
export async function findClaim(db: Database, bountyId: string): Promise<SoughtClaim | undefined> {
  const { rows } =
    await sql<SoughtClaim>`select ${sought} from bounties join projects on projects.id = project_id
    where bounties.id = ${bountyId} and bounties.status = 'claimed'`.execute(db)
  return rows[0]
}

/** Those of the commits that are no new work of the claimant: its claims or submissions on the project have shown them before. */
export async function seenBefore(
  db: Database,
  { agentId, projectId }: SoughtClaim,
  heads: string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('seen_heads')
    .where('project_id', '=', projectId)
    .where('agent_id', '=', agentId)
    .where('head_sha', 'in', ['', ...heads])
    .select('head_sha')
    .execute()
  return rows.map(({ head_sha }) => head_sha)
}

/** Keeps commits that were there when the claim began. */
export async function keepSeen(
  db: Database,
  { agentId: agent_id, projectId: project_id }: SoughtClaim,
  heads: string[],
): Promise<void> {
  if (heads.length === 0) return
  const rows = heads.map((head_sha) => ({ project_id, agent_id, head_sha }))
  await db
    .insertInto('seen_heads')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether the work of a claim is to be sought. */
export const hasDue = () => sql`exists (select from bounties where look_at <= now())`

/** Leases up to `limit` claims whose work is to be sought, those first that were due first. */
export async function leaseDue(db: Database, limit: number): Promise<LeasedClaim[]> {
  const { rows } = await sql<LeasedClaim>`
    with due as materialized (
      select id from bounties where look_at <= now() order by look_at limit ${limit} for no key update skip locked)
    update bounties set looked_at = now(), look_at = now() + make_interval(secs => ${sql.lit(searchSeconds)}) from due, projects
    where bounties.id = due.id and projects.id = bounties.project_id
    returning ${sought}, ${proofIsOver} is true as "isOver", ${waitsForList} as "waitsForList",
      looked_at::text as began, look_at::text as marker`.execute(db)
  return rows
}

/** Moves claims on whose work was found. One that moved otherwise meanwhile stays as it is. */
export async function prove(
  db: Database,
  { id, agentId }: Pick<SoughtClaim, 'id' | 'agentId'>,
  { head_sha: head }: Pick<Work, 'head_sha'>,
): Promise<boolean> {
  try {
    await inTransaction(db, (trx) => move(trx, edges.prove, { id, caller: agentId, head }))
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

/** Keeps that the code host has listed the work of a claim since its deadline, once what it has merged is kept. */
export async function keepListed(db: Database, { id, agentId, began }: LeasedClaim): Promise<void> {
  await sql`update bounties set listed_at = ${began}::timestamptz
    where id = ${id} and claimed_by = ${agentId} and status = 'claimed'`.execute(db)
}

/** Puts the proof time of claims off whose work could not be sought. */
export async function postponeProof(db: Database, claims: readonly LeasedClaim[]): Promise<void> {
  const ids = claims.map(({ id }) => id)
  await sql`update bounties set proof_due_at = ${postponedProof}
    where id = any(${ids}::text[]) and status = 'claimed' and proof_due_at is not null`.execute(db)
}

/**
 * Opens the bounties of claims of which no work was found and whose proof time is over; the others are looked at again then.
 * @returns the ids of the bounties that are open again
 */
export async function endUnproved(db: Database, claims: LeasedClaim[]): Promise<string[]> {
  const [first] = claims
  if (!first) return []
  const isLeased = sql<boolean>`look_at = ${first.marker}::timestamptz`
  return inTransaction(db, async (trx) => {
    const over = await trx
      .selectFrom('bounties')
      .where('id', 'in', ['', ...claims.filter(({ isOver }) => isOver).map(({ id }) => id)])
      .where(edges.lapseUnproved.due)
      .select(['id', 'project_id', 'claimed_by', 'claimed_by as agent_id'])
      .orderBy('id')
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    await moveAll(trx, edges.lapseUnproved, over)
    await trx
      .updateTable('bounties')
      .set({ look_at: nextLook })
      .where('id', 'in', ['', ...claims.filter(({ isOver }) => !isOver).map(({ id }) => id)])
      .where(isLeased)
      .execute()
    return over.map(({ id }) => id)
  })
}
