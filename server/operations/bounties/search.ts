import type { Expression, SelectQueryBuilder } from 'kysely'
import type { Database } from '../../db/client.ts'
import { contains, hasTrigram } from '../keyword.ts'
import { newestFirst } from '../page.ts'
import { type BountyFilter, bountiesOf, narrow } from './queries.ts'
import type { BountyRow } from './schema.ts'

/** Filters, and `q`: a case-insensitive substring of title or description. */
type BountySearch = BountyFilter & { q: string }

/** Bounties read for each row of the page before the index is asked. */
const walkedPerRow = 100
const longestWalk = 30_000
const texts = ['title_folded', 'description_folded'] as const

/**
 * A page of the bounties that contain a keyword, newest first. Reading the newest bounties finds a common keyword soon,
 * the trigram index a rare one. Each is slow for the other, and the planner's statistics cannot tell them apart.
 */
export async function searchBounties(db: Database, search: BountySearch): Promise<BountyRow[]> {
  const { q, limit, offset } = search
  if (!hasTrigram(q)) return bountiesOf(db, walk(db, search)).execute()
  const walked = Math.min(walkedPerRow * (offset + limit), longestWalk)
  const newest = await bountiesOf(db, walk(db, search, walked)).execute()
  if (newest.length === limit) return newest
  const indexed = await bountiesOf(db, byIndex(db, search, walked)).execute()
  return indexed.length > newest.length ? indexed : newest
}

/** Ids of a page of what is found among the newest `walked` bounties, or all of them. Ends when the page is full. */
function walk(db: Database, search: BountySearch, walked?: number): Expression<string> {
  const isFound = contains(texts, search.q).as('is_found')
  const newest = <Tables, Table extends keyof Tables, Row>(rows: SelectQueryBuilder<Tables, Table, Row>) =>
    (walked === undefined ? rows : newestFirst(rows).limit(walked)).as('newest')
  const narrowed = narrow(db.selectFrom('bounties'), search).select((bounty) => {
    const text = bounty.selectFrom('bounty_texts').whereRef('bounty_texts.id', '=', 'bounties.id')
    return ['id', 'created_at', text.select(isFound).as('is_found')]
  })
  const all = db.selectFrom('bounty_texts').select(['id', 'created_at', isFound])
  const rows = isNarrow(search) ? newest(narrowed) : newest(all)
  return pageOf(db.selectFrom(rows).where('is_found', '=', true).select('id'), search)
}

/** Ids of a page of all that is found; of nothing where the filters leave no more than `walked` bounties. */
function byIndex(db: Database, search: BountySearch, walked: number): Expression<string> {
  const found = db.selectFrom('bounty_texts').where(contains(texts, search.q)).select(['id', 'created_at'])
  const indexed = db
    .with(
      (cte) => cte('found').materialized(),
      () => found,
    )
    .selectFrom('found')
    .select('found.id')
  if (!isNarrow(search)) return pageOf(indexed, search)
  const unread = narrow(db.selectFrom('bounties'), search).select('id').limit(1).offset(walked)
  const bounties = narrow(db.selectFrom('bounties').where('id', 'in', indexed), search)
  return pageOf(bounties.where(({ exists }) => exists(unread)).select('id'), search)
}

const isNarrow = ({ status, project_id, difficulty }: BountySearch) =>
  Boolean(status ?? project_id ?? difficulty)

function pageOf<Tables, Table extends keyof Tables>(
  ids: SelectQueryBuilder<Tables, Table, { id: string }>,
  { limit, offset }: BountySearch,
): Expression<string> {
  return newestFirst(ids).limit(limit).offset(offset).$asScalar()
}
