import { expect } from 'vitest'
import type { ApiResponse } from './api.ts'

/** One page: the query that asks for it to its response. */
type GetPage = (query: string) => Promise<ApiResponse>

/** Follows `next` from the first page to the last one, and returns the ids of each page. */
export async function readPages(
  getPage: GetPage,
  list: { items: string; limit: number; filter?: string },
): Promise<string[][]> {
  const { items, limit, filter = '' } = list
  const pages: string[][] = []
  let next: string | null = null
  do {
    const { status, body }: ApiResponse = await getPage(
      `?limit=${limit}${filter && `&${filter}`}${next === null ? '' : `&after=${next}`}`,
    )
    expect(status).toBe(200)
    pages.push(body[items].map(({ id }: { id: string }) => id))
    next = body.next
  } while (next !== null)
  return pages
}

/** Cuts a list as pages of `limit` items cut it. */
export function inPages(ids: readonly string[], limit: number): string[][] {
  const count = Math.max(1, Math.ceil(ids.length / limit))
  return Array.from({ length: count }, (_, page) => ids.slice(page * limit, (page + 1) * limit))
}

/** The ids of items by time, those of one moment by id; oldest first. */
export function oldestFirst(items: readonly { id: string; created_at: Date }[]): string[] {
  const key = ({ id, created_at }: { id: string; created_at: Date }) => `${created_at.toISOString()} ${id}`
  return items.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)).map(({ id }) => id)
}
