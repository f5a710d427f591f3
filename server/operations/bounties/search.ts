import type { AliasedExpression, Expression, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Database } from '../../db/client.ts'
import { contains, findable } from '../keyword.ts'
import { newestFirst } from '../page.ts'
import { type BountyFilter, bountiesOf, narrow } from './queries.ts'
import type { BountyRow } from './schema.ts'

/** What to search for. */
export interface BountySearch extends BountyFilter {
  /** Case-insensitive substring of title or description. */
  q: string
}

/** Rows looked at for each one wanted: what one in fifty has is found among them. */
const lookedAt = 50
/** That many times more where a quarter of what is wanted was among the first. */
const further = 5
/** Up to here both ways are cheap; what lies deeper is left to the planner and its statistics. */
const deepest = 300

/**
 * A page of the bounties that contain a keyword, newest first. A common one is soon found by looking at the newest
 * bounties, a rare one by index; either takes long for the other, and statistics cannot tell them apart. So the newest
 * are looked at first, and the index is asked for what they did not have.
 */
export async function searchBounties(db: Database, search: BountySearch): Promise<BountyRow[]> {
  const { limit, offset } = search
  const wanted = offset + limit
  if (wanted > deepest) return bountiesOf(db, everywhere(db, search)).execute()
  let window = lookedAt * wanted
  let rows = await bountiesOf(db, amongNewest(db, search, window)).execute()
  const isNear = rows.length > 0 && (offset + rows.length) * 4 >= wanted
  if (rows.length < limit && isNear) {
    window *= further
    rows = await bountiesOf(db, amongNewest(db, search, window)).execute()
  }
  if (rows.length === limit) return rows
  const indexed = await bountiesOf(db, byIndex(db, search, window)).execute()
  return indexed.length > rows.length ? indexed : rows
}

/** Ids. */
type Page = Expression<string>

function pageOf<Tables, Table extends keyof Tables>(
  ids: SelectQueryBuilder<Tables, Table, { id: string }>,
  { limit, offset }: BountySearch,
): Page {
  return newestFirst(ids).limit(limit).offset(offset).$asScalar()
}

const isNarrow = ({ status, project_id, difficulty }: BountySearch) =>
  status !== undefined || project_id !== undefined || difficulty !== undefined

const texts = ['title_folded', 'description_folded'] as const

/** A page of what is found in the newest `window` bounties of those that are searched. Ends as soon as it is full. */
function amongNewest(db: Database, search: BountySearch, window: number): Page {
  const isFound = contains(texts, search.q)
  const all = db.selectFrom('bounty_texts').select(['id', 'created_at', isFound.as('is_found')])
  const some = narrow(db.selectFrom('bounties'), search).select((bounty) => [
    'id',
    'created_at',
    bounty
      .selectFrom('bounty_texts')
      .whereRef('bounty_texts.id', '=', 'bounties.id')
      .select(isFound.as('is_found'))
      .as('is_found'),
  ])
  const newest: AliasedExpression<{ id: string; is_found: SqlBool | null }, 'newest'> = isNarrow(search)
    ? newestFirst(some).limit(window).as('newest')
    : newestFirst(all).limit(window).as('newest')
  return pageOf(db.selectFrom(newest).where('is_found', '=', true).select('id'), search)
}

/** A page of all that is found, or nothing where the newest `window` bounties are all there are. */
function byIndex(db: Database, search: BountySearch, window: number): Page {
  const indexed = db.with(
    (cte) => cte('found').materialized(),
    (cte) => cte.selectFrom('bounty_texts').where(findable(texts, search.q)).select(['id', 'created_at']),
  )
  if (!isNarrow(search)) return pageOf(indexed.selectFrom('found').select('id'), search)
  const looked = narrow(db.selectFrom('bounties'), search).select('id').limit(window).as('looked')
  const found = indexed
    .selectFrom('bounties')
    .where('id', 'in', (some) => some.selectFrom('found').select('found.id'))
    .where(
      db.selectFrom(looked).select(({ fn }) => fn.countAll().as('count')),
      '=',
      String(window),
    )
    .select('id')
  return pageOf(narrow(found, search), search)
}

/** The same by whichever way the planner takes for the shorter one. */
function everywhere(db: Database, search: BountySearch): Page {
  const found = db.selectFrom('bounty_texts').where(findable(texts, search.q)).select('id')
  if (!isNarrow(search)) return pageOf(found, search)
  return pageOf(narrow(db.selectFrom('bounties').where('id', 'in', found).select('id'), search), search)
}
