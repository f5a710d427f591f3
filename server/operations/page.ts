import { type Compilable, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/client.ts'
import { prepared } from '../db/prepared.ts'
import type { Services } from '../startup/services.ts'
import { limits } from './limits.ts'

/** Behind it, it is cheaper to skip rows by an index alone and to look the page up afterwards. */
const deepOffset = 200
/** Behind it, a page takes so long that it would delay what is asked after it on the same connection. */
const longOffset = 1000

/** Builds the query of a page; of the usual page it is given neither size nor place. */
type PageQuery<Filter, Row> = (
  db: Database,
  filter: Partial<Filter>,
) => Compilable<Row> & { execute(): Promise<Row[]> }

/** Lists by `list`, and deep pages by `deepList`. */
export function pages<Filter extends { q?: string; limit: number; offset: number }, Row>(
  list: PageQuery<Filter, Row>,
  deepList: PageQuery<Filter, Row>,
): (services: Pick<Services, 'db' | 'reads'>, filter: Filter) => Promise<Row[]> {
  const shallow = { query: list, statement: prepared(list) }
  const deep = { query: deepList, statement: prepared(deepList) }
  return ({ db, reads }, filter) => {
    const { query, statement } = filter.offset > deepOffset ? deep : shallow
    const page = shortPage(filter)
    return page && !filter.q ? reads.run(statement(page as Partial<Filter>)) : query(db, filter).execute()
  }
}

/** Puts rows in the order of lists: the newest first, those of one instant by their ids. */
export function newestFirst<Tables, Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
) {
  return rows.orderBy(sql.ref('created_at'), 'desc').orderBy(sql.ref('id'), 'desc')
}

/** The page size most lists are asked with, as text of the query: Postgres plans it once and for all. */
export const usualLimit = sql.lit(limits.default_page_size)

/**
 * `page` without what a usual one has, for a query compiled once a shape; undefined for a page that lies so deep that
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
