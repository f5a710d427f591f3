import { type Compilable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { ServiceError } from '../errors.ts'
import type { Services } from '../services.ts'
import { limits } from './limits.ts'

/** Beyond this offset a page takes so long that it would delay other statements on a shared connection. */
const longOffset = 1000

/** What a page of the usual size is cut by, as literals in the query: so Postgres plans it once. */
const usual = { limit: sql.lit(limits.default_page_size), offset: sql.lit(0) }

/** A filter whose `limit` and `offset` may be such literals. */
export type Paged<Filter> = Omit<Filter, 'limit' | 'offset'> &
  Record<'limit' | 'offset', number | RawBuilder<number>>

/**
 * Makes the function that lists with `query`.
 * @param plannedFor filters with values that are rare or common: Postgres has to know the value when it plans the page
 */
export function pages<Filter extends { limit: number; offset: number }, Row>(
  query: (db: Database, filter: Paged<Filter>) => Compilable<Row> & { execute(): Promise<Row[]> },
  plannedFor: readonly (keyof Filter)[],
): (services: Pick<Services, 'db' | 'reads'>, filter: Filter) => Promise<Row[]> {
  const statement = prepared((db, filter: Partial<Filter>) =>
    query(db, { ...usual, ...filter } as Paged<Filter>),
  )
  return ({ db, reads }, filter) => {
    const { limit, offset, ...rest } = filter
    if (offset > longOffset || plannedFor.some((name) => filter[name] !== undefined))
      return query(db, filter).execute()
    const page = {
      ...rest,
      ...(limit !== limits.default_page_size && { limit }),
      ...(offset !== 0 && { offset }),
    }
    return reads.run(statement(page as Partial<Filter>))
  }
}

/** Sorts rows as lists do: newest first, rows of one instant by their ids. */
export function newestFirst<Tables, Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
) {
  return rows.orderBy(sql.ref('created_at'), 'desc').orderBy(sql.ref('id'), 'desc')
}

/**
 * Condition: a row of `table` comes after the one with the id `before` in a list that is newest first. Without `before` every row
 * does.
 */
export function isAfter(table: 'projects' | 'bounties' | 'relays', before: string | undefined) {
  const place = [sql.ref(`${table}.created_at`), sql.ref(`${table}.id`)]
  return before === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.join(place)}) < (select created_at, id from ${sql.table(table)} where id = ${before})`
}

/** Cuts a page off rows that were read with one row more than the page holds. `next` is the id to continue with. */
export function cutPage<Row>(rows: Row[], limit: number, idOf: (row: Row) => string) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: rows.length > limit && last ? idOf(last) : null }
}

/** The error for a cursor that continues no list of the caller. @param item what it must be the id of */
export function unknownCursor(item: string, id = 'id', path = 'after'): ServiceError {
  const issues = [{ path, message: `must be the ${id} of ${item}` }]
  return new ServiceError('validation_failed', undefined, { issues })
}
