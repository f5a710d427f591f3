import { sql } from 'kysely'
import { contains, readIndex, search as searchNewest } from '../../api/keyword.ts'
import { newestFirst } from '../../api/page.ts'
import type { Database } from '../../db/client.ts'
import { type BountyFilter, bountiesOf, narrow } from './queries.ts'
import type { BountyRow } from './schema.ts'

/** Filters, and `q`: a case-insensitive substring of title or description. */
type BountySearch = BountyFilter & { q: string }

const texts = ['title_folded', 'description_folded'] as const
const indexedText = sql<string>`(title_folded || ' ' || description_folded)`

/** A page of the bounties that contain a keyword, newest first. */
export async function searchBounties(db: Database, search: BountySearch): Promise<BountyRow[]> {
  const { limit: _limit, offset: _offset, ...filter } = search
  const narrowed = () => narrow(db.selectFrom('bounties'), filter)
  const ids = await searchNewest(db, search, {
    async walk(most, walked) {
      const newest = newestFirst(narrowed().select(['id', 'created_at'])).limit(walked)
      const found = db.selectFrom(newest.as('newest')).where(({ selectFrom }) => {
        const text = selectFrom('bounty_texts').whereRef('bounty_texts.id', '=', 'newest.id')
        return text.select(contains(texts, search.q).as('is_found')).$asScalar()
      })
      const rows = await newestFirst(found.select('id')).limit(most).execute()
      return rows.map(({ id }) => id)
    },
    byIndex(most, walked) {
      const found = db
        .selectFrom('bounty_texts')
        .where(contains([indexedText], search.q))
        .where(contains(texts, search.q))
        .select('id')
      const page = narrowed().where('id', 'in', sql<string>`(select id from found)`).select('id')
      return readIndex(db, {
        found: sql`${found}`,
        page: sql`${newestFirst(page).limit(most)}`,
        unread: sql`${narrowed().select('id').limit(1).offset(walked)}`,
      })
    },
  })
  return ids.length === 0 ? [] : bountiesOf(db, sql<string>`(select unnest(${ids}::text[]))`).execute()
}

/** Deletes the texts of a bounty: no keyword finds it after that. */
export async function unlist(trx: Database, id: string): Promise<void> {
  await trx.deleteFrom('bounty_texts').where('id', '=', id).execute()
}
