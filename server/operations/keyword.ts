import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Columns that hold a text in lower case. */
type Folded = `${string}_folded`

/**
 * Whether one of `columns` contains `keyword`, whatever the letter case; `%`, `_` and `\` match themselves. For a query
 * on bounties or projects.
 */
export function contains(columns: readonly Folded[], keyword: string): RawBuilder<SqlBool> {
  const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  const matches = columns.map((column) => sql`${sql.ref(column)} like lower(${pattern})`)
  const contained = sql<SqlBool>`(${sql.join(matches, sql` or `)})`
  if (hasTrigram(keyword)) return contained
  return sql`${contained} and id in (select id from text_grams where grams @> text_grams(${keyword}))`
}

/** Whether the trigram index surely knows a part of `keyword`; other letters count only in some locales. */
function hasTrigram(keyword: string): boolean {
  return /[a-z0-9]{3}/i.test(keyword)
}
