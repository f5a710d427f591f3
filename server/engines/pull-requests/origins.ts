import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { ownerOf } from '../../lifecycle/attribution.ts'
import type { PullRequestFacts } from '../../repositories/pull-requests.ts'

/** The newest commit of a branch, as a webhook of the code host reports it. */
export interface ReportedHead {
  sha: string
  /** The name of the branch. */
  ref: string
  /** Account that opened the pull request, or pushed the branch; null if the host does not say. */
  author_id: number | null
  /** When it was there, by the host's clock. */
  seen_at: Date
}

/** How long it matters whose a commit was first: longer than a claim and its reviews take. */
const keptDays = 180

/** Keeps where a commit was seen first: whoever copies it has to have seen it there. Webhooks come in any order. */
export async function keepOrigin(
  trx: Database,
  repositoryId: number,
  { sha, ref, author_id, seen_at }: ReportedHead,
): Promise<void> {
  await sql`
    insert into commit_origins as known (repository_id, head_sha, head_ref, author_id, seen_at)
    values (${repositoryId}, ${sha}, ${ref}, ${author_id}, ${seen_at}::timestamptz)
    on conflict (repository_id, head_sha) do update
      set head_ref = excluded.head_ref, author_id = excluded.author_id, seen_at = excluded.seen_at
    where excluded.seen_at < known.seen_at`.execute(trx)
}

/**
 * Whether a commit was seen first as the work of this pull request: in a branch that names the same agent and bounty, or of the same
 * account.
 * @returns undefined if no webhook has reported it
 */
export async function isOriginal(
  db: Database,
  repositoryId: number,
  sha: string,
  facts: Pick<PullRequestFacts, 'head_ref' | 'author_id'>,
): Promise<boolean | undefined> {
  const origin = await db
    .selectFrom('commit_origins')
    .where('repository_id', '=', repositoryId)
    .where('head_sha', '=', sha)
    .select(['head_ref', 'author_id'])
    .executeTakeFirst()
  if (!origin) return undefined
  if (origin.author_id !== null && origin.author_id === facts.author_id) return true
  const first = ownerOf(origin)
  const { agent, bounty } = ownerOf(facts)
  return agent !== null && first.agent === agent && first.bounty === bounty
}

/** Deletes the oldest, which no review waits for any more. */
export async function deleteOldOrigins(db: Database): Promise<void> {
  await sql`delete from commit_origins where seen_at < now() - make_interval(days => ${sql.lit(keptDays)})`.execute(
    db,
  )
}
