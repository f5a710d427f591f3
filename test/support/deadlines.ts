import { sql } from 'kysely'
import type { Database } from '../../server/db/client.ts'

/** The heart beats now, and there was never an outage. The copy of a template has a heart that stood still. */
export async function beatHeart(db: Database): Promise<void> {
  await sql`update heartbeat set beaten_at = now(), nothing_lapses_before = '-infinity'`.execute(db)
}

/** The code host has listed no merge of the claim of the bounty, and will list none. */
export async function listNothing(db: Database, { id }: { id: string }): Promise<void> {
  await sql`update bounties set listed_at = now() + interval '1 day' where id = ${id}`.execute(db)
}

/** Lets the claim of the bounty lapse: its time was up a second ago, and the code host has listed no merge. */
export async function lapse(db: Database, bounty: { id: string }): Promise<void> {
  await beatHeart(db)
  await sql`update bounties set claim_expires_at = now() - interval '1 second' where id = ${bounty.id}`.execute(
    db,
  )
  await listNothing(db, bounty)
}
