import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'

/** What a cursor looks like: the id of the entry behind which to go on, or {@link beginning}. */
export const cursorPattern = /^(0|act_\w{1,60})$/

/** The cursor before the first entry. */
export const beginning = '0'

/**
 * The position of a cursor; undefined if the log cannot go on from it. Ids are random and never used again. So a cursor from
 * a time that the database has lost is unknown, even when the log has grown past the position that it had. A cursor
 * is too old if the entry after it is older than `retentionDays`.
 */
export async function findPosition(
  db: Database,
  cursor: string,
  retentionDays: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ position: number }>`
    select place.position from (
      select position from activity where id = ${cursor} and position is not null
      union all select 0 where ${cursor} = ${beginning}) place
    where not exists (select from activity next where next.position = place.position + 1
      and next.created_at < now() - make_interval(days => ${retentionDays}))`.execute(db)
  return rows[0]?.position
}
