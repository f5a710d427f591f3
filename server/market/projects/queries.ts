import { type Selectable, sql } from 'kysely'
import { contains, readIndex, search } from '../../api/keyword.ts'
import { newestFirst, type Paged, pages } from '../../api/page.ts'
import type { Account } from '../../code/host/maintainers.ts'
import type { Database } from '../../db/client.ts'
import type { Projects, Trades } from '../../db/generated/tables.ts'
import { prepared } from '../../db/prepared.ts'

export const projectColumns = [
  'id',
  'name',
  'description',
  'status',
  'founder_id',
  'token_symbol',
  'token_supply',
  'repo_url',
  'token_address',
  'curve_address',
  'created_at',
] as const

/** What everybody may see of a project. */
export type ProjectRow = Pick<Selectable<Projects>, (typeof projectColumns)[number]>

/** Stores a new project, which is `proposed`. */
export function insertProject(
  trx: Database,
  project: Pick<ProjectRow, 'id' | 'name' | 'description' | 'founder_id' | 'token_symbol' | 'token_supply'>,
): Promise<ProjectRow> {
  return trx.insertInto('projects').values(project).returning(projectColumns).executeTakeFirstOrThrow()
}

/** One project as everybody may see it. */
export const publicProject = prepared((db, { id }: { id: string }) =>
  db.selectFrom('projects').where('id', '=', id).select(projectColumns),
)

/** What projects to list. */
export interface ProjectFilter {
  status?: ProjectRow['status']
  /** Leaves out what was proposed more than a day ago and is not active yet. */
  is_fresh?: true
  limit: number
  offset: number
}

/** Projects, newest first. An index alone skips what lies before the page. */
export const listProjects = pages<ProjectFilter, ProjectRow>(pageOfProjects, [])

/** The statement of {@link listProjects}. */
export function pageOfProjects(db: Database, { limit, offset, ...filter }: Paged<ProjectFilter>) {
  const page = newestFirst(narrowProjects(db, filter).select('id')).limit(limit).offset(offset)
  return newestFirst(db.selectFrom('projects').select(projectColumns).where('id', 'in', page))
}

const texts = ['name_folded', 'description_folded'] as const

/** A page of the projects whose name or description contains a keyword, newest first. */
export async function searchProjects(
  db: Database,
  { q, limit, offset, ...filter }: ProjectFilter & { q: string },
): Promise<ProjectRow[]> {
  const narrowed = () => narrowProjects(db, filter)
  const ids = await search(
    db,
    { q, limit, offset },
    {
      async walk(most, walked) {
        const newest = newestFirst(narrowed().select(['id', 'created_at', ...texts])).limit(walked)
        const found = db.selectFrom(newest.as('newest')).where(contains(texts, q)).select('id')
        const rows = await newestFirst(found).limit(most).execute()
        return rows.map(({ id }) => id)
      },
      byIndex: (most, walked) =>
        readIndex(db, {
          found: sql`${narrowed().where(contains(texts, q)).select(['id', 'created_at'])}`,
          page: sql`select id from found order by created_at desc, id desc limit ${most}`,
          unread: sql`${narrowed().select('id').limit(1).offset(walked)}`,
        }),
    },
  )
  const found = db.selectFrom('projects').select(projectColumns).where('id', '=', sql<string>`any(${ids})`)
  return ids.length === 0 ? [] : newestFirst(found).execute()
}

function narrowProjects(db: Database, { status, is_fresh }: Pick<ProjectFilter, 'status' | 'is_fresh'>) {
  let projects = db.selectFrom('projects')
  if (status) projects = projects.where('status', '=', status)
  if (is_fresh)
    projects = projects.where(sql<boolean>`(status = 'active' or created_at > now() - interval '1 day')`)
  return projects
}

/** Locks a project until the transaction ends, so that of several activations one begins; returns its status. */
export async function lockProject(trx: Database, projectId: string): Promise<ProjectRow['status']> {
  const { status } = await trx
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select('status')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return status
}

/** Locks what an agent may start in a day, so that its activations are counted one after the other. */
export async function lockActivationsOf(trx: Database, agentId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`activations of ${agentId}`}))`.execute(trx)
}

/** Locks what an agent may propose, so that its projects are counted one after the other. */
export async function lockProposalsOf(trx: Database, agentId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`proposals of ${agentId}`}))`.execute(trx)
}

/** Whether an agent has `most` projects that are not active. */
export async function hasProposed(trx: Database, founderId: string, most: number): Promise<boolean> {
  const last = await trx
    .selectFrom('projects')
    .where('founder_id', '=', founderId)
    .where('status', '=', 'proposed')
    .select('id')
    .limit(1)
    .offset(most - 1)
    .executeTakeFirst()
  return last !== undefined
}

/** A trade as it is stored. Amounts are in base units, ether in wei. */
export type TradeRow = Selectable<Trades>

/** Trades on a curve, newest first. `curve` is in lower case. */
export function newestTrades(
  db: Database,
  curve: string,
  limit: number,
  before?: { block: number; logIndex: number },
): Promise<TradeRow[]> {
  let query = db.selectFrom('trades').where('curve', '=', curve).selectAll()
  if (before)
    query = query.where(sql<boolean>`(block_number, log_index) < (${before.block}, ${before.logIndex})`)
  return query.orderBy('block_number', 'desc').orderBy('log_index', 'desc').limit(limit).execute()
}

/** Longer than all calls of the code host that naming a maintainer makes. */
const namingSeconds = 90

/**
 * Makes the caller the only one that changes who maintains the project. Returns the maintainer, which is `account` if there
 * was none; undefined while another request changes it.
 */
export async function leaseMaintainer(
  db: Database,
  projectId: string,
  { id, login }: Account,
): Promise<Account | undefined> {
  const busy_until = sql<Date>`now() + make_interval(secs => ${sql.lit(namingSeconds)})`
  return db
    .insertInto('project_maintainers')
    .values({ project_id: projectId, account_id: id, login, busy_until })
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .doUpdateSet({ busy_until })
        .where('project_maintainers.busy_until', '<', sql<Date>`now()`),
    )
    .returning(['account_id as id', 'login'])
    .executeTakeFirst()
}

/** Stores the maintainer of a project that the caller has leased. */
export async function storeMaintainer(
  db: Database,
  projectId: string,
  { id, login }: Account,
): Promise<Date> {
  const { invited_at } = await db
    .updateTable('project_maintainers')
    .set({ account_id: id, login, invited_at: sql`clock_timestamp()` })
    .where('project_id', '=', projectId)
    .returning('invited_at')
    .executeTakeFirstOrThrow()
  return invited_at
}

/** Stores the standing that a claimant of the project needs. */
export async function storeMinApproved(trx: Database, projectId: string, minApproved: number): Promise<void> {
  await trx.updateTable('projects').set({ min_approved: minApproved }).where('id', '=', projectId).execute()
}

/** Shortest time between two looks at the repository that a founder brings. */
const lookSeconds = 10

/** Begins a look at the repository that the founder brings; false if there was one moments ago. */
export async function beginLook(db: Database, projectId: string): Promise<boolean> {
  const begun = await db
    .updateTable('projects')
    .set({ repository_looked_at: sql`now()` })
    .where('id', '=', projectId)
    .where('status', '=', 'proposed')
    .where('repository_looked_at', '<', sql<Date>`now() - make_interval(secs => ${sql.lit(lookSeconds)})`)
    .returning('id')
    .executeTakeFirst()
  return begun !== undefined
}

/** Stores which repository the founder brings, and what a look at it has found. @param isKnown only if it brings that one still */
export async function storeLook(
  db: Database,
  project: { id: string; wanted: string | null; missing: string[] | null },
  isKnown = false,
): Promise<void> {
  await db
    .updateTable('projects')
    .set({
      wanted_repository: project.wanted,
      repository_missing: project.missing,
      repository_looked_at: sql`now()`,
    })
    .where('id', '=', project.id)
    .$if(isKnown, (query) => query.where('wanted_repository', '=', project.wanted))
    .execute()
}

/** What stands against another wish: the activation of the project runs or has its repository, or the repository is another project's. */
export async function refusalOfWish(trx: Database, projectId: string, repositoryId: number | undefined) {
  const { rows } = await sql<{ code: 'activation_in_progress' | 'repository_taken' }>`
    select case project_id when ${projectId} then 'activation_in_progress' else 'repository_taken' end as code from activations
    where project_id = ${projectId} and (status <> 'failed' or repo_url is not null)
      or project_id <> ${projectId} and repository_id = ${repositoryId ?? null}`.execute(trx)
  return rows[0]?.code
}

/** Ends the lease of {@link leaseMaintainer}. */
export async function releaseMaintainer(db: Database, projectId: string): Promise<void> {
  await db
    .updateTable('project_maintainers')
    .set({ busy_until: sql`'-infinity'` })
    .where('project_id', '=', projectId)
    .execute()
}
