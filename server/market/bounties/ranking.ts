import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { newestFirst } from '../../api/page.ts'
import type { Database } from '../../db/client.ts'
import type { Bounties, DB } from '../../db/generated/tables.ts'
import { ServiceError } from '../../errors.ts'
import { tokenUnit } from '../../money/chain/units.ts'
import { isLocked } from '../../money/deposits/locked.ts'
import { type BountyFilter, bountyColumns, narrow } from './queries.ts'
import type { BountyRow } from './schema.ts'

/** Orders of a list of bounties. */
export const orders = ['newest', 'reward', 'worth', 'dollars'] as const

type Open = Pick<BountyRow, 'status'>

/** A list of bounties by reward, worth or dollars. */
interface Ranking extends Omit<BountyFilter, 'status'> {
  sort: Exclude<(typeof orders)[number], 'newest'>
  /** Of `lockHours`. */
  hours: string
}

/** @throws ServiceError `validation_failed` where a list in another order than newest first is asked for more than it can do */
export function requireSortable({ q, status = 'open' }: { q?: string; status?: string }): void {
  const refuse = (path: string, message: string) => {
    throw new ServiceError('validation_failed', undefined, { issues: [{ path, message }] })
  }
  if (q !== undefined) refuse('q', 'cannot be combined with this sort: a search lists the newest first')
  if (status !== 'open') refuse('status', 'must be open, or left out, with this sort')
}

/** A page of open bounties, those with the highest reward, worth or dollars first. */
export function rankBounties(db: Database, { sort, hours, ...filter }: Ranking): Promise<BountyRow[]> {
  const { limit, offset } = filter
  const open = narrow(db.selectFrom('bounties'), { ...filter, status: 'open' })
  if (sort === 'reward') {
    const bounties = db.selectFrom('bounties').select(bountyColumns).$narrowType<Open>()
    // By ids, because an index alone skips what lies before a deep page.
    const page = highestFirst(open.select('id')).limit(limit).offset(offset)
    return highestFirst(bounties.where('id', 'in', page)).execute()
  }
  const ranked = sort === 'worth' ? byWorth(open, filter) : byDollars(open, hours, filter)
  const page = db.selectFrom(ranked.as('bounties')).orderBy('rank', 'desc')
  return highestFirst(page.select(bountyColumns).$narrowType<Open>()).execute()
}

type OpenBounties = SelectQueryBuilder<DB, 'bounties', object>
type Ranked = RawBuilder<Selectable<Bounties> & { rank: string }>
type Page = Pick<BountyFilter, 'project_id' | 'limit' | 'offset'>

function byWorth(open: OpenBounties, { project_id, limit, offset }: Page): Ranked {
  // Within a project worth rises with the reward, so a page has nothing of it beyond as many bounties as lie before its end.
  const ofProject = highestFirst(
    open.where(sql<boolean>`project_id = projects.id`).select(['id', 'reward_amount', 'created_at']),
  ).limit(limit + offset)
  return sql`(${curves}
    select bounties.*, page.rank from (
      select found.*, least(found.reward_amount * ${unit}, sold) * price as rank
      from curves join projects on lower(projects.curve_address) = curves.curve cross join lateral (${ofProject}) found
      where sold > 0 and price > 0 and ${project_id === undefined ? sql`true` : sql`projects.id = ${project_id}`}
      order by rank desc, found.reward_amount desc, found.created_at desc, found.id desc
      limit ${limit} offset ${offset}) page
    cross join lateral (select * from bounties where id = page.id limit 1) bounties)`
}

function byDollars(open: OpenBounties, hours: string, { limit, offset }: Page): Ranked {
  const funded = open.where(sql<boolean>`id = deposits.bounty_id`).where(isLocked(hours))
  return sql`(select found.*, amount as rank from deposits cross join lateral (${funded.selectAll()}) found
    order by amount desc, found.reward_amount desc, found.created_at desc, found.id desc limit ${limit} offset ${offset})`
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
