import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether one of `columns` contains `keyword`, whatever the letter case; `%`, `_` and `\` match themselves. */
export function contains(columns: readonly string[], keyword: string): RawBuilder<SqlBool> {
  const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  const matches = columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`)
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}
