import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { newestFirst } from '../../api/page.ts'
import type { Database } from '../../db/client.ts'
import type { Bounties } from '../../db/generated/tables.ts'
import { ServiceError } from '../../errors.ts'
import { tokenUnit } from '../../money/chain/units.ts'
import { type BountyFilter, bountyColumns, narrow } from './queries.ts'
import type { BountyRow } from './schema.ts'

/** Orders of a list of bounties. */
export const orders = ['newest', 'reward', 'worth'] as const

type Open = Pick<BountyRow, 'status'>

/** A list of bounties by reward or worth. */
interface Ranking extends Omit<BountyFilter, 'status'> {
  sort: Exclude<(typeof orders)[number], 'newest'>
}

/** @throws ServiceError `validation_failed` where a list in another order than newest first is asked for more than it can do */
export function requireSortable({ q, status = 'open' }: { q?: string; status?: string }): void {
  const refuse = (path: string, message: string) => {
    throw new ServiceError('validation_failed', undefined, { issues: [{ path, message }] })
  }
  if (q !== undefined) refuse('q', 'cannot be combined with this sort: a search lists the newest first')
  if (status !== 'open') refuse('status', 'must be open, or left out, with this sort')
}

/** A page of open bounties, those with the highest reward or worth first. */
export function rankBounties(db: Database, { sort, ...filter }: Ranking): Promise<BountyRow[]> {
  const { limit, offset } = filter
  const open = narrow(db.selectFrom('bounties'), { ...filter, status: 'open' })
  const bounties = db.selectFrom('bounties').select(bountyColumns).$narrowType<Open>()
  if (sort === 'reward') {
    // By ids, because an index alone skips what lies before a deep page.
    const page = highestFirst(open.select('id')).limit(limit).offset(offset)
    return highestFirst(bounties.where('id', 'in', page)).execute()
  }
  // Within a project worth rises with the reward, so a page has nothing of it beyond as many bounties as lie before its end.
  const ofProject = highestFirst(
    open.where(sql<boolean>`project_id = projects.id`).select(['id', 'reward_amount', 'created_at']),
  ).limit(limit + offset)
  const ranked = sql<Selectable<Bounties> & { worth: string }>`(${curves}
    select bounties.*, page.worth from (
      select found.*, least(found.reward_amount * ${unit}, sold) * price as worth
      from curves join projects on lower(projects.curve_address) = curves.curve cross join lateral (${ofProject}) found
      where sold > 0 and price > 0 and ${filter.project_id === undefined ? sql`true` : sql`projects.id = ${filter.project_id}`}
      order by worth desc, found.reward_amount desc, found.created_at desc, found.id desc
      limit ${limit} offset ${offset}) page
    cross join lateral (select * from bounties where id = page.id limit 1) bounties)`
  const page = db.selectFrom(ranked.as('bounties')).orderBy('worth', 'desc')
  return highestFirst(page.select(bountyColumns).$narrowType<Open>()).execute()
}

const unit = sql`${sql.lit(String(tokenUnit))}::numeric`

/** The curves with their latest trades, one after the other by the index that has them so: there may be many trades of each. */
const curves = sql`with recursive curves as (
  (select curve, sold, price from trades order by curve, block_number desc, log_index desc limit 1)
  union all
  select later.* from curves cross join lateral (
    select curve, sold, price from trades where trades.curve > curves.curve
    order by curve, block_number desc, log_index desc limit 1) later)`

function highestFirst<Tables, Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return newestFirst(rows.orderBy(sql.ref('reward_amount'), 'desc'))
}
