import { type Expression, sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { contains, hasTrigram, scan } from '../keyword.ts'
import { newestFirst, pageOf } from '../page.ts'
import { type BountyFilter, bountiesOf, narrow } from './queries.ts'
import type { BountyRow } from './schema.ts'

/** Filters, and `q`: a case-insensitive substring of title or description. */
type BountySearch = BountyFilter & { q: string }

/** Bounties read for each row of the page before the index is asked; the second walk only where the first found some. */
const walkedPerRow = [50, 500]
const longestWalk = 30_000
const texts = ['title_folded', 'description_folded'] as const
const indexedText = sql<string>`(title_folded || ' ' || description_folded)`

/**
 * A page of the bounties that contain a keyword, newest first. Reading the newest bounties finds a common keyword soon.
 * A rare one is found by the trigram index. The planner's statistics cannot tell which of the two a keyword is.
 */
export async function searchBounties(db: Database, search: BountySearch): Promise<BountyRow[]> {
  const { q, limit, offset } = search
  if (!(await hasTrigram(db, q))) return scan(() => bountiesOf(db, walk(db, search)).execute())
  const first = { ...search, limit: offset + limit, offset: 0 }
  let walked = 0
  let newest: string[] = []
  for (const perRow of walkedPerRow) {
    walked = Math.min(perRow * first.limit, longestWalk)
    const { rows } = await sql<{ id: string }>`${walk(db, first, walked)}`.execute(db)
    newest = rows.map(({ id }) => id)
    if (newest.length === first.limit || newest.length < first.limit / 4) break
  }
  const indexed =
    newest.length < first.limit ? await bountiesOf(db, byIndex(db, search, walked)).execute() : []
  if (indexed.length > 0) return indexed
  return bountiesOf(db, sql<string>`(select unnest(${newest.slice(offset)}::text[]))`).execute()
}

/** Ids of a page of what is found among the newest `walked` bounties, or all of them. Ends when the page is full. */
function walk(db: Database, search: BountySearch, walked?: number): Expression<string> {
  const bounties = newestFirst(narrow(db.selectFrom('bounties').select(['id', 'created_at']), search))
  const newest = walked === undefined ? bounties : bounties.limit(walked)
  const found = db.selectFrom(newest.as('newest')).where(({ selectFrom }) => {
    const text = selectFrom('bounty_texts').whereRef('bounty_texts.id', '=', 'newest.id')
    return text.select(contains(texts, search.q).as('is_found')).$asScalar()
  })
  return pageOf(found.select('id'), search)
}

/** Ids of a page of all that is found; of nothing where the filters leave no more than `walked` bounties. */
function byIndex(db: Database, search: BountySearch, walked: number): Expression<string> {
  const { q, limit: _limit, offset: _offset, ...filter } = search
  const found = db
    .selectFrom('bounty_texts')
    .where(contains([indexedText], q))
    .where(contains(texts, q))
  if (Object.values(filter).every((value) => value === undefined)) return pageOf(found.select('id'), search)
  // The offset keeps the planner from looking texts up by the ids of bounties, which is what the walk did.
  const ids = found.select('id').offset(sql.lit(0))
  const unread = narrow(db.selectFrom('bounties'), search).select('id').limit(1).offset(walked)
  const bounties = narrow(db.selectFrom('bounties').where('id', 'in', ids), search)
  return pageOf(bounties.where(({ exists }) => exists(unread)).select('id'), search)
}

/** Deletes the texts of a bounty: no keyword finds it after that. */
export async function unlist(trx: Database, id: string): Promise<void> {
  await trx.deleteFrom('bounty_texts').where('id', '=', id).execute()
}
