import { type RawBuilder, sql } from 'kysely'

/** A time as JavaScript writes it into JSON, for what Postgres itself makes JSON of. */
export function isoTime(column: string): RawBuilder<string> {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
