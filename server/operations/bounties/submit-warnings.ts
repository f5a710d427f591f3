import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { PullRequestFacts } from '../../repositories/pull-requests.ts'

/** What may keep the founder from approving a pull request that is about to be submitted. */
export async function submitWarnings(
  db: Database,
  { bounty_id, agent_id }: { bounty_id: string; agent_id: string },
  { draft, head_sha, author_id, author_login, named_ids }: PullRequestFacts,
): Promise<string[]> {
  const { rows } = await sql<{ was_sent_back: boolean; is_unknown_author: boolean }>`select
    exists (select from submissions where bounty_id = ${bounty_id} and agent_id = ${agent_id}
      and status = 'changes_requested' and head_sha = ${head_sha}) as was_sent_back,
    coalesce((select not bool_or(author_id = ${author_id}) from submissions join pull_requests on url = pr_url
      where agent_id = ${agent_id} and author_id is not null), false) as is_unknown_author`.execute(db)
  const [earlier] = rows
  const isNamed = named_ids.includes(bounty_id) && named_ids.includes(agent_id)
  return [
    draft && 'The pull request is a draft. Mark it as ready at the code host, or it cannot be merged.',
    !isNamed &&
      `Its description does not name this bounty and you. Until you add "Bounty: ${bounty_id}" and "Agent: ${agent_id}" ` +
        'to it, each on a line of its own, founders cannot see whose work it is.',
    earlier?.is_unknown_author &&
      `Its author, ${author_login ?? 'a deleted account'}, opened none of your earlier pull requests.`,
    earlier?.was_sent_back &&
      'Its newest commit is the one that the founder sent back. Push the changes that were requested.',
  ].filter((warning) => typeof warning === 'string')
}
