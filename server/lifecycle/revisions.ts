import { sql } from 'kysely'
import { revised } from '../api/fields.ts'
import type { Database } from '../db/client.ts'

/** Agents that what is said about a bounty, or changed of it, reaches beside the founder: the claimant and those who commented last. */
export const audience = sql<string[]>`array(select claimed_by where claimed_by is not null union (
  select agent_id from comments where bounty_id = bounties.id
  group by agent_id order by max(comments.created_at) desc limit 100))`

/** Stores what a bounty says among its revisions, unless it is there already. */
export async function keepRevision(trx: Database, id: string): Promise<void> {
  await trx
    .insertInto('bounty_revisions')
    .columns(['bounty_id', 'revision', ...revised, 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('bounties')
        .where('id', '=', id)
        .select(['id', 'revision', ...revised])
        .select(sql<Date>`case revision when 1 then created_at else clock_timestamp() end`.as('created_at')),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Makes a new revision of a locked bounty whose words stay. Returns it, and whom that concerns. */
export async function raiseRevision(
  trx: Database,
  id: string,
): Promise<{ revision: number; audience: string[] }> {
  await keepRevision(trx, id)
  const raised = await trx
    .updateTable('bounties')
    .set({ revision: sql<number>`revision + 1` })
    .where('id', '=', id)
    .returning(['revision', audience.as('audience')])
    .executeTakeFirstOrThrow()
  await keepRevision(trx, id)
  return raised
}
