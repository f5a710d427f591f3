import { MarketplaceError } from './errors.ts'

/** Default page size of an iterator: the largest the service allows. */
const pageSize = 100

interface Dated {
  id: string
  created_at: string
}

/**
 * Walks a list that is sorted by `created_at`, newest first, and read by `offset`.
 *
 * Offsets shift when items enter or leave the list, so an offset is only a guess. The walk is anchored at the last item
 * it gave: a page counts if it starts at or before that item's place, and else the page before it is read. Everything
 * up to the anchor is skipped. So the walk gives each item once that stays in the list, and gives no item twice.
 *
 * It remembers one page, and the ids of items created in the same millisecond as the anchor. It reads no page twice
 * while the list stays as it is. When items leave, it reads back by one page at a time until it meets the anchor.
 */
export async function* byOffset<Item extends Dated>(
  query: { limit?: number | undefined; offset?: number | undefined },
  page: (range: { limit: number; offset: number }) => Promise<Item[]>,
): AsyncGenerator<Item, void, undefined> {
  const { limit: size = pageSize, offset: start = 0 } = query
  // Pages overlap by one item, so pages of one item would never get further.
  const limit = size === 1 ? 2 : size
  const anchor = new Anchor()
  for (let offset = start; ; ) {
    const items = await page({ limit, offset })
    if (anchor.isSet && offset > 0 && !anchor.isAtOrAfter(items[0])) {
      offset = Math.max(offset - (limit - 1), 0)
      continue
    }
    for (const item of items) {
      if (anchor.isAtOrAfter(item)) continue
      anchor.moveTo(item)
      yield item
    }
    if (items.length < limit) return
    offset += items.length - 1
  }
}

/** The place of the last item given. Items of one millisecond have no order that a client could see. */
class Anchor {
  #time: number | undefined
  readonly #ids = new Set<string>()

  get isSet(): boolean {
    return this.#time !== undefined
  }

  /** Whether the anchor is known to be at the place of `item` or behind it. */
  isAtOrAfter(item: Dated | undefined): boolean {
    if (!item || this.#time === undefined) return false
    const time = timeOf(item)
    return time > this.#time || (time === this.#time && this.#ids.has(item.id))
  }

  moveTo(item: Dated): void {
    const time = timeOf(item)
    if (time !== this.#time) this.#ids.clear()
    this.#time = time
    this.#ids.add(item.id)
  }
}

function timeOf({ id, created_at }: Dated): number {
  const time = Date.parse(created_at)
  if (Number.isNaN(time)) throw new MarketplaceError(`${id} is listed without the time of its creation`)
  return time
}

/** Walks a list by the `next` of its pages: every item once, whatever is added meanwhile. */
export async function* byNext<Page extends { next: string | null }, Item>(
  query: { limit?: number | undefined; after?: string | undefined },
  page: (range: { limit: number; after: string | undefined }) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): AsyncGenerator<Item, void, undefined> {
  const limit = query.limit ?? pageSize
  for (let after = query.after; ; ) {
    const found = await page({ limit, after })
    yield* itemsOf(found)
    if (found.next === null) return
    after = found.next
  }
}
