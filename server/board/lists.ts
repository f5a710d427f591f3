import { sql } from 'kysely'
import { contains } from '../api/keyword.ts'
import { newestFirst } from '../api/page.ts'
import type { Database } from '../db/client.ts'
import { bountyStatuses } from '../lifecycle/statuses.ts'
import { type BountyFilter, bountiesOf, narrow } from '../market/bounties/queries.ts'
import type { BountyRow } from '../market/bounties/schema.ts'
import { countUpTo, mostCounted } from '../market/merged-unpaid.ts'
import {
  type ProjectFilter,
  type ProjectRow,
  pageOfProjects,
  searchProjects,
} from '../market/projects/queries.ts'

/** Counts the bounties that `filter` wants; undefined if one of the counts would reach {@link mostCounted}. */
export async function countBounties(
  db: Database,
  filter: Omit<Partial<BountyFilter>, 'status'>,
  statuses: readonly NonNullable<BountyFilter['status']>[] = bountyStatuses,
): Promise<Record<string, number> | undefined> {
  const count = (status: BountyFilter['status'] & string) =>
    countUpTo(sql`${narrow(db.selectFrom('bounties').select('id'), { ...filter, status })}`).as(status)
  const counts = await db.selectNoFrom(statuses.map(count)).executeTakeFirstOrThrow()
  return Object.values(counts).includes(mostCounted) ? undefined : counts
}

/** Cancelled bounties, or all with them, newest first: merged from two ranges, as no index of lists has cancelled ones, too. */
export function withCancelled(db: Database, filter: BountyFilter): Promise<BountyRow[]> {
  const { status, limit, offset, ...others } = filter
  const rows = db.selectFrom('bounties').select(['id', 'created_at'])
  const newest = (more: object) => newestFirst(narrow(rows, { ...others, ...more })).limit(limit + offset)
  const cancelled = newest({ status: 'cancelled' })
  const found = status === 'cancelled' ? sql`${cancelled}` : sql`${newest({})} union all ${cancelled}`
  const first = sql`select id from (${found}) found order by created_at desc, id desc`
  return bountiesOf(db, sql<string>`(${first} limit ${limit} offset ${offset})`).execute()
}

/** Projects, newest first, without those that were proposed more than a day ago and never activated; with `q` those that contain it. */
export function freshProjects(
  db: Database,
  { q, ...filter }: Omit<ProjectFilter, 'is_fresh'> & { q?: string | undefined },
): Promise<ProjectRow[]> {
  const fresh = { ...filter, is_fresh: true } as const
  return q === undefined ? pageOfProjects(db, fresh).execute() : searchProjects(db, { ...fresh, q })
}

/** A bounty, also a cancelled one. */
export function findBounty(db: Database, id: string): Promise<BountyRow> {
  return bountiesOf(db, sql<string>`(${id})`).executeTakeFirstOrThrow()
}

/** What a project has in rows: its curve as after the latest known trade, open bounties, payouts. */
export interface ProjectFigures {
  id: string
  curve_address: string | null
  /** Base units that the curve has sold; null if no trade is known. */
  sold: string | null
  open: number
  /** Whole tokens promised by bounties that are not done. */
  committed: number
  /** Base units that contributors were paid. */
  paid: string
}

/** Reads the figures of projects. Each is a range of an index that holds all it needs: 10⁵ payouts of a project take 17 ms. */
export async function projectFigures(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, ProjectFigures>> {
  const { rows } = await sql<ProjectFigures>`
    select id, curve_address, committed, sold, open, paid
    from projects
      left join lateral (${latestTrade}) latest on true
      cross join lateral (select ${countUpTo(sql`select from bounties where project_id = projects.id and status = 'open'`)} as open) b
      cross join lateral (select coalesce(sum(amount), 0)::text as paid from payouts
        where project_id = projects.id and status = 'settled') p
    where id = any(${ids})`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The curves of projects, as after their latest known trades. */
export async function latestSold(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, Pick<ProjectFigures, 'curve_address' | 'sold'>>> {
  const { rows } = await sql<Pick<ProjectFigures, 'id' | 'curve_address' | 'sold'>>`
    select id, curve_address, sold from projects left join lateral (${latestTrade}) latest on true
    where id = any(${ids})`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const latestTrade = sql`select sold::text from trades where curve = lower(projects.curve_address)
  order by block_number desc, log_index desc limit 1`

/** An agent of the directory. Counts but that of its approved submissions end at {@link mostCounted}. */
export interface RankedAgent {
  id: string
  name: string
  created_at: Date
  approved: number
  rejected: number
  projects: number
  /** Of its projects: the submissions that it paid, and those that it rejected. */
  accepted: number
  refused: number
}

/**
 * A page of the agents, or of those whose name contains `q`: the most approved submissions first. All approved submissions are
 * countUpTo, by an index that has no others: with 10⁵ agents and 2.4 · 10⁵ of them that takes 0.1 s.
 */
export async function rankedAgents(
  db: Database,
  { q, limit, offset }: { q?: string | undefined; limit: number; offset: number },
): Promise<RankedAgent[]> {
  const ofFounder = (status: 'approved' | 'rejected') =>
    countUpTo(sql`select from projects cross join lateral (select from submissions
      where project_id = projects.id and status = ${sql.lit(status)} limit ${sql.lit(mostCounted)}) found
      where founder_id = page.id`)
  const { rows } = await sql<RankedAgent>`
    with page as (
      select agents.id, name, created_at, coalesce(paid.approved, 0)::int as approved
      from agents left join (
        select agent_id, count(*) as approved from submissions where status = 'approved' group by agent_id
      ) paid on agent_id = agents.id
      where ${q === undefined ? sql`true` : contains([sql<string>`fold(name)`], q)}
      order by approved desc, created_at desc, id desc limit ${limit} offset ${offset})
    select page.*,
      ${countUpTo(sql`select from submissions where agent_id = page.id and status = 'rejected'`)} as rejected,
      ${countUpTo(sql`select from projects where founder_id = page.id`)} as projects,
      ${ofFounder('approved')} as accepted, ${ofFounder('rejected')} as refused
    from page order by approved desc, created_at desc, id desc`.execute(db)
  return rows
}
