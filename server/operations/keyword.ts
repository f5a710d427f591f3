import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Columns that hold a text in lower case. */
type FoldedColumn = `${string}_folded`

/** Whether one of `columns` contains `keyword`, in any letter case; `%`, `_` and `\` match themselves. */
export function contains(columns: readonly FoldedColumn[], keyword: string): RawBuilder<SqlBool> {
  const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  const matches = columns.map((column) => sql`${sql.ref(column)} like lower(${pattern})`)
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}

/** Whether a trigram index can find `keyword`: it indexes groups of three letters or digits. */
export function hasTrigram(keyword: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(keyword)
}
