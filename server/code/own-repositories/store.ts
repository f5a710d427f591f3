import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { recordActivity } from '../../events/record.ts'
import { growingPause } from '../../loops/timing.ts'

/** A founder's own repository that is looked at now. */
interface DueRepository {
  projectId: string
  repoUrl: string
  repositoryId: number
  /** `repository_look_at` during the look, to the microsecond. A report sets another time. */
  marker: string
}

/** What a look has found. */
interface Look {
  projectId: string
  missing: string[]
  defaultBranch?: string | undefined
  /** Absent where nothing else can look. */
  marker?: string
}

/** What the host says where a repository is lost, or the App was taken out of it. */
const saysLost =
  /^(installation|installation_repositories|repository)\.(deleted|suspend|removed|privatized|archived|transferred)$/

/** Lets repositories be looked at of which the host has said something: now, but in a minute after the last look. */
export async function lookSoon(db: Database, ids: number[], event = ''): Promise<void> {
  await sql`update projects set
      repository_look_at = least(repository_look_at, greatest(now(), repository_looked_at + interval '1 minute')),
      repository_missing = case when ${saysLost.test(event)} and repository_missing <@ '{denied}' then '{reported}'
        else repository_missing end
    where repository_id = any(${ids}::bigint[]) and repository_look_at is not null`.execute(db)
}

/** Whether a repository is to be looked at. */
export const hasDue = () => sql`exists (select from projects where repository_look_at <= now())`

/** Leases up to `limit` repositories. A look that fails is made again in a minute. */
export async function leaseDue(db: Database, limit: number): Promise<DueRepository[]> {
  const { rows } = await sql<DueRepository>`
    update projects set repository_look_at = now() + interval '1 minute' where id = any(array(
      select id from projects where repository_look_at <= now()
      order by repository_look_at limit ${limit} for no key update skip locked))
    returning id as "projectId", repo_url as "repoUrl", repository_id as "repositoryId",
      repository_look_at::text as marker`.execute(db)
  return rows
}

/** Until the next look: an hour; less where the repository was lost a moment ago. */
const lostPause = (lostAt: RawBuilder<unknown>) =>
  growingPause(sql`coalesce(${lostAt}, now() - interval '1 day')`, { least: 60, most: 3600, divisor: 10 })

/**
 * Keeps what a look has found. A repository is lost when something is missing at two looks an hour apart, or at one of the two after a
 * report of the host, which may not show at once what it has said: the second is a minute later. The time in which it is lost is added to
 * the deadlines of claims, as that of an outage is. A look during which the host has reported something is made again, and says nothing.
 * @returns what has changed by that
 */
export function keepLook(
  db: Database,
  { projectId, missing, defaultBranch, marker }: Look,
): Promise<'repository.lost' | 'repository.found' | undefined> {
  const isThere = sql`${missing.length === 0}`
  const isDenial = sql`(${isThere} and repository_missing = '{reported}')`
  const lostAt = sql`case when not ${isThere} and repository_missing <> '{}' then coalesce(repository_lost_at, now()) end`
  const isLast = sql`id = ${projectId} and repository_look_at = coalesce(${marker ?? null}::timestamptz, repository_look_at)`
  return inTransaction(db, async (trx) => {
    await sql`
      update bounties set claim_expires_at = claim_expires_at + away, proof_due_at = proof_due_at + away,
        postponed_from = postponed_from + away
      from (select now() - repository_looked_at as away from projects
        where ${isLast} and repository_lost_at is not null) lost
      where project_id = ${projectId} and status = 'claimed'`.execute(trx)
    const { rows } = await sql<{ was: boolean; is: boolean; founder_id: string; holders: string[] }>`
      update projects set repository_looked_at = now(), default_branch = coalesce(${defaultBranch ?? null}, default_branch),
        repository_missing = case when ${isDenial} then '{denied}' else ${missing}::text[] end,
        repository_look_at = now() + case when ${isDenial} then interval '1 minute' else ${lostPause(lostAt)} end,
        repository_lost_at = ${lostAt}
      from (select repository_lost_at is not null as was from projects where ${isLast} for no key update) known
      where id = ${projectId}
      returning was, repository_lost_at is not null as is, founder_id, array(select claimed_by from bounties
        where project_id = ${projectId} and status in ('claimed', 'in_review')) as holders`.execute(trx)
    const [project] = rows
    if (!project || project.was === project.is) return undefined
    const type = project.is ? 'repository.lost' : 'repository.found'
    const { founder_id: agent_id, holders: audience } = project
    await recordActivity(trx, { type, project_id: projectId, agent_id, audience })
    return type
  })
}
