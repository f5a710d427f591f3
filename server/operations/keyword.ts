import { type RawBuilder, type SqlBool, sql } from 'kysely'
import pLimit from 'p-limit'
import type { Database } from '../db/client.ts'
import { ServiceError } from '../errors.ts'

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
 * Whether a trigram index can find `keyword`: it indexes groups of three letters or digits. Which characters beyond ASCII
 * are letters to it depends on the database's locale, so the database is asked.
 */
export async function hasTrigram(db: Database, keyword: string): Promise<boolean> {
  if (/[a-z0-9]{3}/i.test(keyword)) return true
  const { rows } = await sql<{ isIndexed: boolean }>`
    select coalesce(string_agg(case when show_trgm(letter) = '{}' then '-' else 'x' end, '' order by place)
      like '%xxx%', false) as "isIndexed"
    from unnest(string_to_array(lower(${keyword}), null)) with ordinality as letters (letter, place)`.execute(
    db,
  )
  return rows[0]?.isIndexed === true
}

/** Scans take seconds, so they leave most connections of the pool to other requests. */
const scans = pLimit(2)
/** How many scans may wait. Each holds a place that other requests need. */
const mostWaiting = 4

/**
 * Runs a search that reads whole tables, because no index can find its keyword.
 * @throws ServiceError `overloaded` if too many wait already
 */
export async function scan<Result>(search: () => Promise<Result>): Promise<Result> {
  if (scans.pendingCount >= mostWaiting)
    throw new ServiceError(
      'overloaded',
      'Too many searches whose keyword no index covers are running. Search for three letters or digits in a row, or wait for ' +
        '`Retry-After` seconds.',
      { retryAfter: 2 },
    )
  return scans(search)
}
