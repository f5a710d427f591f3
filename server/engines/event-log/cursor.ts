import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'

/**
 * A place in the log: the position of an entry and its id. The id tells whether the log is still the one in which a
 * client has read: a database that fell back to an older state holds another entry at the position, or none. An empty
 * log has the place 0 without an id.
 */
export interface Place {
  position: number
  id: string
}

/** The place before the first entry. */
export const beginning: Place = { position: 0, id: '' }

/** What a cursor looks like. Clients need not know. */
export const cursorPattern = /^(0|[1-9]\d{0,14}\.[0-9A-Za-z_]{1,40})$/

/** The place as clients keep it. */
export function toCursor({ position, id }: Place): string {
  return position === 0 ? '0' : `${position}.${id}`
}

/** The place of a text that matches {@link cursorPattern}. */
export function fromCursor(cursor: string): Place {
  const [position, id = ''] = cursor.split('.')
  return { position: Number(position), id }
}

/** Whether the log still goes on from `place`, and what follows there is not older than `retentionDays`. */
export async function isReadable(db: Database, place: Place, retentionDays: number): Promise<boolean> {
  const { position, id } = place
  const rows = await db
    .selectFrom('activity')
    .where('position', 'in', [position, position + 1])
    .select([
      'position',
      'id',
      sql<boolean>`created_at < now() - make_interval(days => ${retentionDays})`.as('isOld'),
    ])
    .execute()
  const next = rows.find((row) => row.position === position + 1)
  return !next?.isOld && (position === 0 || rows.some((row) => row.position === position && row.id === id))
}
