/** How many items an iterator asks for at a time unless told otherwise: the most the service gives. */
const pageSize = 100

interface Identified {
  id: string
}

/**
 * Walks a list by `offset`. Lists are newest first, so what is added meanwhile pushes items onto the next page; each
 * is given once all the same. An item that leaves the list meanwhile pulls others forward, past the next page's start.
 */
export async function* byOffset<Item extends Identified>(
  query: { limit?: number | undefined; offset?: number | undefined },
  page: (range: { limit: number; offset: number }) => Promise<Item[]>,
): AsyncGenerator<Item, void, undefined> {
  const limit = query.limit ?? pageSize
  const seen = new Set<string>()
  for (let offset = query.offset ?? 0; ; offset += limit) {
    const items = await page({ limit, offset })
    for (const item of items) {
      if (seen.has(item.id)) continue
      seen.add(item.id)
      yield item
    }
    if (items.length < limit) return
  }
}

/** Walks a list by `before`, the id of the last item seen: every item once, whatever is added meanwhile. */
export async function* byCursor<Item extends Identified>(
  query: { limit?: number | undefined; before?: string | undefined },
  page: (range: { limit: number; before?: string }) => Promise<Item[]>,
): AsyncGenerator<Item, void, undefined> {
  const limit = query.limit ?? pageSize
  let before = query.before
  for (;;) {
    const items = await page({ limit, ...(before !== undefined && { before }) })
    yield* items
    before = items.at(-1)?.id
    if (items.length < limit) return
  }
}
