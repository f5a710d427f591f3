import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Columns that hold a text in lower case. */
type Folded = `${string}_folded`

/** Whether one of `columns` contains `keyword`, whatever the letter case; `%`, `_` and `\` match themselves. */
export function contains(columns: readonly Folded[], keyword: string): RawBuilder<SqlBool> {
  const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  const matches = columns.map((column) => sql`${sql.ref(column)} like lower(${pattern})`)
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}

/**
 * The same, for a query that is to find its rows by `keyword`: one that no trigram serves is looked up by its letters.
 * The query's rows have the ids of bounties or projects.
 */
export function findable(columns: readonly Folded[], keyword: string): RawBuilder<SqlBool> {
  const contained = contains(columns, keyword)
  if (hasTrigram(keyword)) return contained
  return sql`${contained} and id in (select id from text_grams where grams @> text_grams(${keyword}))`
}

/** Whether the trigram index surely knows a part of `keyword`; other letters count only in some locales. */
function hasTrigram(keyword: string): boolean {
  return /[a-z0-9]{3}/i.test(keyword)
}
