import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { prepared } from '../db/prepared.ts'
import type { Reads } from '../db/reads/reads.ts'
import { idPrefixes } from '../ids.ts'
import { countUpTo } from '../market/merged-unpaid.ts'
import { toDollars } from '../money/chain/units.ts'
import { lockedFor } from '../money/deposits/locked.ts'

/** What an agent, a project or a bounty is called, projects with the symbol of their token. */
export interface Named {
  id: string
  name: string
  token_symbol: string | undefined
  /** Of a bounty: the standing that a claimant needs. */
  min_approved: number | undefined
  /** Of a bounty. */
  tags: readonly string[] | undefined
  /** Of a bounty: when its newest revision was made, if it was ever changed. */
  revised_at: Date | undefined
  /** Of a bounty: the dollars that are locked for it and do not expire soon. */
  dollars: string | undefined
  /** Of a bounty: how many comments it has. */
  comments: number | undefined
  /** Of a bounty that is done: the submission that was paid. */
  paid: string | undefined
  /** Of a project. */
  founder_id: string | undefined
}

/**
 * The agents, projects and bounties of `ids`, by id, in one reading for each 100 that are not known yet. Cancelled bounties
 * are left out.
 */
export type Names = (ids: Iterable<string>) => Promise<Map<string, Named>>

/** Agents and projects that are remembered. */
const most = 10_000
const mostAtOnce = 100

/**
 * Creates a memory of names, in which there is none yet. It keeps no bounties, because they can be cancelled.
 * @param hours of `lockHours`
 */
export function createNames(hours: string): (reads: Pick<Reads, 'run'>) => Names {
  const known = new LRUCache<string, Named>({ max: most })
  return (reads) => async (ids) => {
    const found = new Map<string, Named>()
    const unknown: string[] = []
    for (const id of new Set(ids)) {
      const named = known.get(id)
      if (named) found.set(id, named)
      else unknown.push(id)
    }
    for (let from = 0; from < unknown.length; from += mostAtOnce)
      for (const row of await reads.run(namesOf({ ids: unknown.slice(from, from + mostAtOnce), hours }))) {
        const { id, name, dollars } = row
        if (name === null) continue
        const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
        const named = { ...given, ...(dollars !== null && { dollars: toDollars(BigInt(dollars)) }) } as Named
        found.set(id, named)
        if (!id.startsWith(idPrefixes.bounty)) known.set(id, named)
      }
    return found
  }
}

/** What only bounties have. */
const ofNoBounty = [
  sql<number | null>`null::int`.as('min_approved'),
  sql<string[] | null>`null::text[]`.as('tags'),
  sql<Date | null>`null::timestamptz`.as('revised_at'),
  sql<string | null>`null::text`.as('dollars'),
  sql<number | null>`null::int`.as('comments'),
  sql<string | null>`null::text`.as('paid'),
]
const ofNoProject = sql<string | null>`null::text`.as('founder_id')

/** The agents, projects and bounties of `ids` with their names; cancelled bounties with null. */
const namesOf = prepared((db, { ids, hours }: { ids: readonly string[]; hours: string }) =>
  db
    .selectFrom('agents')
    .where('id', '=', sql<string>`any(${ids})`)
    .select(['id', sql<string | null>`name`.as('name'), sql<string | null>`null::text`.as('token_symbol')])
    .select(ofNoBounty)
    .select(ofNoProject)
    .unionAll(
      db
        .selectFrom('projects')
        .where('id', '=', sql<string>`any(${ids})`)
        .select(['id', sql<string | null>`name`.as('name'), 'token_symbol'])
        .select(ofNoBounty)
        .select(sql<string | null>`founder_id`.as('founder_id')),
    )
    .unionAll(
      db
        .selectFrom('bounties')
        .where('id', '=', sql<string>`any(${ids})`)
        .select([
          'id',
          sql<string | null>`case when status <> 'cancelled' then title end`.as('name'),
          sql<string | null>`null::text`.as('token_symbol'),
          sql<
            number | null
          >`coalesce(min_approved, (select p.min_approved from projects p where p.id = project_id))`.as(
            'min_approved',
          ),
          sql<string[] | null>`tags`.as('tags'),
          sql<Date | null>`case when revision > 1 then (select max(created_at) from bounty_revisions where bounty_id = bounties.id) end`.as(
            'revised_at',
          ),
          lockedFor(hours).as('dollars'),
          sql<number | null>`${countUpTo(sql`select from comments where bounty_id = bounties.id`)}`.as(
            'comments',
          ),
          sql<
            string | null
          >`case when status = 'done' then (select id from submissions where bounty_id = bounties.id and status = 'approved' limit 1) end`.as(
            'paid',
          ),
          ofNoProject,
        ]),
    ),
)
