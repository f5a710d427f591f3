import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fanOut } from './fan-out.ts'

/**
 * Gives the next positions to up to `limit` committed entries that have none, in the order in which they were written,
 * and stores their deliveries to webhooks. A reader that goes on from a position therefore misses nothing: an entry
 * that commits late gets a late position. Returns how many entries it numbered.
 */
export function sequenceEntries(db: Database, limit: number): Promise<number> {
  return inTransaction(db, async (trx) => {
    // A statement of its own, so that the next one sees all positions that were given under the lock before.
    await sql`select pg_advisory_xact_lock(hashtext('event log: positions'))`.execute(trx)
    const { rows } = await sql`
      with fresh as (
        select id, row_number() over (order by seq) as place
        from (select id, seq from activity where position is null order by seq limit ${limit}) oldest),
      tip as (select coalesce(max(position), 0) as position from activity where position is not null),
      numbered as (
        update activity set position = tip.position + fresh.place from fresh, tip where activity.id = fresh.id
        returning activity.*),
      ${fanOut(sql`numbered`)}
      select from numbered`.execute(trx)
    return rows.length
  })
}
