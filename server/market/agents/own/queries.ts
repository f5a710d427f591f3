import { type Selectable, sql } from 'kysely'
import { isAfter, newestFirst } from '../../../api/page.ts'
import type { Database } from '../../../db/client.ts'
import type { Bounties } from '../../../db/generated/tables.ts'
import { claimExpiresAt } from '../../../lifecycle/deadlines.ts'
import { bountyColumns, hasTag } from '../../bounties/queries.ts'
import { projectColumns } from '../../projects/queries.ts'

/** A page of a list that is newest first. */
interface Page {
  /** Only items older than the one with this id. */
  before?: string | undefined
  limit: number
}

/** A project with the whole tokens that it has committed. */
export type OwnProjectRow = Awaited<ReturnType<typeof listOwnProjects>>[number]

/** The projects that an agent founded, newest first. */
export function listOwnProjects(db: Database, founderId: string, { before, limit }: Page) {
  const founded = db
    .selectFrom('projects')
    .where('founder_id', '=', founderId)
    .where(isAfter('projects', before))
    .select([...projectColumns, 'committed', 'min_approved'])
  return newestFirst(founded).limit(limit).execute()
}

/**
 * Bounties of the projects that an agent founded, newest first. Each status of each project is a range of one index: a
 * page costs more for each project, and the same however many bounties they have.
 */
export function listOwnBounties(
  db: Database,
  founderId: string,
  page: Page & {
    statuses: readonly Selectable<Bounties>['status'][]
    tag?: string | undefined
    min_reward?: number | undefined
  },
) {
  const { statuses, before, tag, min_reward = 1, limit } = page
  const rows = sql<Bounties>`(
    select bounties.* from (
      select found.id from projects cross join unnest(${statuses}::text[]) as wanted (status) cross join lateral (
        select id, created_at from bounties where project_id = projects.id and status = wanted.status
          and reward_amount >= ${min_reward} ${tag === undefined ? sql`` : sql`and ${hasTag(tag)}`} and ${isAfter('bounties', before)}
        order by created_at desc, id desc limit ${limit}) found
      where projects.founder_id = ${founderId}
      order by found.created_at desc, found.id desc limit ${limit}) page
    cross join lateral (select * from bounties where id = page.id limit 1) bounties)`
  return newestFirst(
    db
      .selectFrom(rows.as('bounties'))
      .select([...bountyColumns, 'claimed_by', claimExpiresAt.as('claim_expires_at')])
      .select(['min_approved', 'tags']),
  ).execute()
}
