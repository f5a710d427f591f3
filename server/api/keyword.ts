import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/client.ts'
import { limits } from './limits.ts'

/** A text in lower case: a column, or an expression. */
type FoldedText = `${string}_folded` | RawBuilder<string>

/** Whether one of `texts` contains `keyword`, in any letter case; `%`, `_` and `\` match themselves. */
export function contains(texts: readonly FoldedText[], keyword: string): RawBuilder<SqlBool> {
  const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  const matches = texts.map(
    (text) => sql`${typeof text === 'string' ? sql.ref(text) : text} like fold(${pattern})`,
  )
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}

/**
 * Whether a trigram index can find `keyword`: it indexes groups of three letters or digits. Which characters beyond ASCII
 * are letters to it depends on the database's locale, so the database is asked.
 */
export async function hasTrigram(db: Database, keyword: string): Promise<boolean> {
  if (/[a-z0-9]{3}/i.test(keyword)) return true
  const { rows } = await sql<{ isIndexed: boolean }>`
    select coalesce(string_agg(case when show_trgm(letter) = '{}' then '-' else 'x' end, '' order by place)
      like '%xxx%', false) as "isIndexed"
    from unnest(string_to_array(fold(${keyword}), null)) with ordinality as letters (letter, place)`.execute(
    db,
  )
  return rows[0]?.isIndexed === true
}

/** Rows read for each one that is wanted, before the index is asked. */
const walkedPerRow = 50

/** The two ways to search a table. */
interface Ways {
  /** Ids of the newest matches, at most `most`, among the newest `rows` rows. */
  walk(most: number, rows: number): Promise<string[]>
  /**
   * Ids of the newest matches, at most `most`, by the trigram index. Null if more than `limits.searched` rows match, or if no
   * row is older than the newest `walked`.
   */
  byIndex(most: number, walked: number): Promise<string[] | null>
}

/**
 * Ids of a page of the rows that contain a keyword, newest first. Reading the newest rows finds a common keyword soon. A rare
 * one is found by the trigram index. The planner's statistics cannot tell which of the two a keyword is. Neither way reads more
 * than `limits.searched` rows, whatever page is asked for: the search ends where they do.
 */
export async function search(
  db: Database,
  { q, limit, offset }: { q: string; limit: number; offset: number },
  { walk, byIndex }: Ways,
): Promise<string[]> {
  if (offset >= limits.searched) return []
  const most = offset + limit
  const isIndexed = await hasTrigram(db, q)
  const walked = isIndexed ? Math.min(walkedPerRow * most, limits.searched) : limits.searched
  const newest = await walk(most, walked)
  if (newest.length === most || !isIndexed) return newest.slice(offset)
  const indexed = await byIndex(most, walked)
  const isCommon = indexed === null && walked < limits.searched
  return (indexed ?? (isCommon ? await walk(most, limits.searched) : newest)).slice(offset)
}

/**
 * The result of {@link Ways.byIndex} as a statement.
 * @param found ids and times of creation of what the index finds
 * @param page ids of the page, from the table `found`
 * @param unread a row that the walk has not read
 */
export async function readIndex(
  db: Database,
  { found, page, unread }: Record<'found' | 'page' | 'unread', RawBuilder<unknown>>,
): Promise<string[] | null> {
  const { rows } = await sql<{ ids: string[] | null }>`
    with found as materialized (${found} limit ${sql.lit(limits.searched + 1)})
    select case when exists (${unread}) and (select count(*) from found) <= ${sql.lit(limits.searched)}
      then array(${page}) end as ids`.execute(db)
  return rows[0]?.ids ?? null
}
