import { type Compilable, type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import { ServiceError } from '../errors.ts'
import type { Services } from '../services.ts'
import { limits } from './limits.ts'

/** Beyond this offset it is cheaper to skip rows by an index alone and to read the page's rows afterwards. */
const deepOffset = 200
/** Beyond this offset a page takes so long that it would delay other statements on a shared connection. */
const longOffset = 1000

/** Builds the query of a page. Without `limit` and `offset` it is the first page of the usual size. */
type PageQuery<Filter, Row> = (
  db: Database,
  filter: Partial<Filter>,
) => Compilable<Row> & { execute(): Promise<Row[]> }

/**
 * Lists with `list`, and deep pages with `deepList`.
 * @param plannedFor filters with values that are rare or common: Postgres has to know the value when it plans the page
 */
export function pages<Filter extends { limit: number; offset: number }, Row>(
  list: PageQuery<Filter, Row>,
  deepList: PageQuery<Filter, Row>,
  plannedFor: readonly (keyof Filter)[],
): (services: Pick<Services, 'db' | 'reads'>, filter: Filter) => Promise<Row[]> {
  const shallow = { query: list, statement: prepared(list) }
  const deep = { query: deepList, statement: prepared(deepList) }
  return ({ db, reads }, filter) => {
    const { query, statement } = filter.offset > deepOffset ? deep : shallow
    const page = shortPage(filter)
    return page && plannedFor.every((name) => filter[name] === undefined)
      ? reads.run(statement(page as Partial<Filter>))
      : query(db, filter).execute()
  }
}

/** Sorts rows as lists do: newest first, rows of one instant by their ids. */
export function newestFirst<Tables, Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
) {
  return rows.orderBy(sql.ref('created_at'), 'desc').orderBy(sql.ref('id'), 'desc')
}

/** The ids of one page among `ids`. */
export function pageOf<Tables, Table extends keyof Tables>(
  ids: SelectQueryBuilder<Tables, Table, { id: string }>,
  { limit, offset }: { limit: number; offset: number },
): Expression<string> {
  return newestFirst(ids).limit(limit).offset(offset).$asScalar()
}

/** The default page size as a literal in the query, so that Postgres plans it once. */
export const usualLimit = sql.lit(limits.default_page_size)

/**
 * `page` without its default values, so that few shapes of the query are compiled; undefined for a page so deep that
 * reading it takes long.
 */
export function shortPage<Page extends { limit: number; offset: number }>(
  page: Page,
): (Omit<Page, 'limit' | 'offset'> & { limit?: number; offset?: number }) | undefined {
  const { limit, offset, ...filter } = page
  if (offset > longOffset) return undefined
  return {
    ...filter,
    ...(limit !== limits.default_page_size && { limit }),
    ...(offset !== 0 && { offset }),
  }
}

/** Cuts a page off rows that were read with one row more than the page holds. `next` is the id to continue with. */
export function cutPage<Row>(rows: Row[], limit: number, idOf: (row: Row) => string) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: rows.length > limit && last ? idOf(last) : null }
}

/** The error for an `after` that continues no list of the caller. @param item what it must be the id of */
export function unknownCursor(item: string, id = 'id'): ServiceError {
  const issues = [{ path: 'after', message: `must be the ${id} of ${item}` }]
  return new ServiceError('validation_failed', undefined, { issues })
}
