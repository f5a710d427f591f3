import { sql } from 'kysely'
import type { Database } from '../db/client.ts'

/** Most entries on a page of projects of one founder that has paid nobody: its others leave room for those of others. */
export const mostOfFounder = 3
/** Rows that filling a page reads at most, about. */
const mostRead = 1000
const batchSize = 100

/** Entries of a page, and what was left out on the way to its end. */
export interface SharedPage<Row> {
  rows: Row[]
  /** Rows of the list that it covers, with those that were left out. */
  read: number
  /** The offset at which the next page begins; null if there is none. */
  next: number | null
  /** How many were left out, by founder. */
  leftOut: ReadonlyMap<string, number>
}

/**
 * A page of a list, with at most {@link mostOfFounder} entries of a founder without a payout. Pages begin at offsets of the list
 * itself, so that each row lies in one of them.
 */
export async function sharedPage<Row>(
  db: Database,
  { offset, size }: { offset: number; size: number },
  projectOf: (row: Row) => string,
  list: (page: { limit: number; offset: number }) => Promise<Row[]>,
): Promise<SharedPage<Row>> {
  const shown: Row[] = []
  const counts = new Map<string, number>()
  let read = 0
  const page = (isLast: boolean): SharedPage<Row> => ({
    rows: shown,
    read,
    next: isLast ? null : offset + read,
    leftOut: new Map([...counts].flatMap(([id, n]) => (n > mostOfFounder ? [[id, n - mostOfFounder]] : []))),
  })
  for (let limit = Math.min(size + 1, batchSize); read < mostRead; limit = batchSize) {
    const rows = await list({ limit, offset: offset + read })
    const founders = await foundersWithoutPayout(db, rows.map(projectOf))
    for (const row of rows) {
      const founder = founders.get(projectOf(row))
      const number = founder === undefined ? 0 : (counts.get(founder) ?? 0) + 1
      if (number <= mostOfFounder) {
        if (shown.length === size) return page(false)
        shown.push(row)
      }
      if (founder !== undefined) counts.set(founder, number)
      read += 1
    }
    if (rows.length < limit) return page(true)
  }
  return page(false)
}

/** The founders of projects, by project, if none of their projects has made a payout that buyers stood behind. */
async function foundersWithoutPayout(
  db: Database,
  projects: readonly string[],
): Promise<Map<string, string>> {
  if (projects.length === 0) return new Map()
  const { rows } = await sql<{ id: string; founder_id: string }>`
    select id, founder_id from projects where id = any(${[...new Set(projects)]}) and not exists (
      select from projects founded join payouts on payouts.project_id = founded.id and payouts.status = 'settled' and payouts.is_backed
      where founded.founder_id = projects.founder_id)`.execute(db)
  return new Map(rows.map(({ id, founder_id }) => [id, founder_id]))
}
