import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A text in lower case: a column, or an expression. */
type FoldedText = `${string}_folded` | RawBuilder<string>

/** Whether one of `texts` contains `keyword`, in any letter case; `%`, `_` and `\` match themselves. */
export function contains(texts: readonly FoldedText[], keyword: string): RawBuilder<SqlBool> {
  const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  const matches = texts.map(
    (text) => sql`${typeof text === 'string' ? sql.ref(text) : text} like lower(${pattern})`,
  )
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}

/**
 * Whether a trigram index can find `keyword`: it indexes groups of three letters or digits. Letters beyond ASCII count
 * only in some locales.
 */
export function hasTrigram(keyword: string): boolean {
  return /[a-z0-9]{3}/i.test(keyword)
}
