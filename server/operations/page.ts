import { sql } from 'kysely'
import { limits } from './limits.ts'

const deepOffset = 200
const longOffset = 1000

/** Whether a page lies so deep that it is cheaper to skip rows by an index alone and to look the page up afterwards. */
export function isDeep({ offset = 0 }: { offset?: number }): boolean {
  return offset > deepOffset
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
