import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { growingPause } from '../../loops/timing.ts'
import type { NewestChecks } from '../host/acceptance-facts.ts'
import { mostLagMs } from '../host/host.ts'
import { parseRepositoryUrl } from '../host/pull-request-url.ts'
import type { Repositories } from '../host/repositories.ts'
import {
  deleteOldReports,
  isRecent,
  keepMerged,
  keepNamedPull,
  keepReport,
  type PullReport,
} from './reports.ts'

/** What a webhook of the code host is about: ids and states, and no text of others. */
export interface HostDelivery {
  /** The code host's id of the delivery; a repeated one has the same. */
  id: string
  event: string
  action: string | null
  repository_id: number | null
  pull_number: number | null
  head_sha: string | null
  /** Of the check run or the status that it is about; the host counts each upwards. */
  check_id: number | null
  /** What it says about the state of a pull request. */
  report: PullReport | null
}

/** Shortest pause between two readings of a pull request that deliveries cause. Checks report in bursts. */
const pauseSeconds = 5
/** Work of a claim is sought so long after a delivery, or later if it was sought moments ago: those that follow cause no other search. */
const lookSeconds = 1
/** Longest such pause. Anybody can cause a delivery each second, and the code host's quota is everybody's. */
const longestSeconds = 600
/** How long an id is kept; the code host lets a delivery be repeated for three days. */
const keptDays = 7
/** Most ids that are stored of one repository in a day. A repeated delivery of one beyond them causes another reading, and nothing else. */
const mostStored = 1000
/** Events that are about checks alone. */
const ofChecks = ['check_run', 'check_suite', 'status']
/** Events that matter without a pull request or a commit. */
const ofRepository = ['push', 'pull_request', 'repository']

/** A tenth of the time since a moment; at least so many seconds. */
const pause = (least: number, since: RawBuilder<unknown>) =>
  growingPause(since, { least, most: longestSeconds, divisor: 10 })

/**
 * Stores a delivery, and lets the loop read the pull requests again that it is about: those of its number or commit, or
 * all of a repository that was itself changed. A push or a pull request may also be the work that a claim waits for. One that
 * was stored before changes nothing, nor does one that is about no pull request of a project.
 */
export async function storeDelivery(db: Database, delivery: HostDelivery): Promise<void> {
  const { event, action, repository_id, pull_number, head_sha, report } = delivery
  if (!ofRepository.includes(event) && pull_number === null && head_sha === null) return
  await inTransaction(db, async (trx) => {
    if (!(await isNew(trx, delivery))) return
    if (report) {
      await keepReport(trx, report)
      await keepNamedPull(trx, report)
      // Later events of a merged pull request are no news of its merge.
      if (report.merged && action === 'closed') await keepMerged(trx, report)
    }
    // What a request is moving is left out, so that nobody waits for anybody here.
    if (event === 'pull_request' || event === 'push')
      await sql`
        with waiting as (
          select bounties.id from bounties join projects on projects.id = project_id
          where repository_id = ${repository_id} and bounties.status = 'claimed' and (seen_sha is null
            or exists (select from seen_pulls where bounty_id = bounties.id and agent_id = claimed_by and number = ${pull_number}))
          for no key update of bounties skip locked)
        update bounties set look_at = least(look_at, greatest(
          now() + make_interval(secs => ${sql.lit(lookSeconds)}), looked_at + ${pause(lookSeconds, sql`claimed_at`)}))
        from waiting where bounties.id = waiting.id`.execute(trx)
    await sql`
      update pull_requests set
        due_at = least(due_at, greatest(now(), read_at + case when ${report?.merged ?? false}
          then make_interval(secs => ${sql.lit(pauseSeconds)}) else ${pause(pauseSeconds, sql`opened_at`)} end))
      from projects
      where pull_requests.project_id = projects.id and repository_id = ${repository_id} and not merged
        and (number = ${pull_number} or pull_requests.head_sha = ${head_sha}
          or (${event} = 'repository' and due_at is not null))`.execute(trx)
  })
}

/**
 * Stores the delivery, if there is room for it and it is about the repository of a project. What is known of a check decides only
 * where a rule pays for silence: the checks of a busy repository would fill the room of its pull requests.
 */
async function isNew(trx: Database, delivery: HostDelivery): Promise<boolean> {
  const { id, event, action, repository_id, pull_number, head_sha, check_id } = delivery
  const { rows: stored } = await sql`
    insert into github_deliveries (id, event, action, repository_id, pull_number, head_sha, check_id)
    select ${id}, ${event}, ${action}, ${repository_id}::bigint, ${pull_number}::integer, ${head_sha}, ${check_id}::bigint
    where exists (select from projects p where p.repository_id = ${repository_id} and (not ${ofChecks.includes(event)}::boolean
        or exists (select from bounties b where b.project_id = p.id and b.acceptance is not null and b.status in ('claimed', 'in_review'))))
      and (
      select count(*) from (select from github_deliveries where repository_id = ${repository_id}
        and received_at > now() - interval '1 day' limit ${sql.lit(mostStored)}) newest) < ${sql.lit(mostStored)}
    on conflict do nothing returning id`.execute(trx)
  if (stored.length > 0) return true
  const known = trx.selectFrom('github_deliveries').select('id').where('id', '=', id)
  return (await known.executeTakeFirst()) === undefined
}

/**
 * Whether the host's webhooks have named a check of a commit that is newer than all that its lists show.
 * @param newest the highest ids that they show
 */
export async function isCheckUnlisted(
  db: Database,
  { repository_id, head_sha }: { repository_id: number; head_sha: string },
  newest: NewestChecks,
): Promise<boolean> {
  const { rows } = await sql`
    select from github_deliveries where repository_id = ${repository_id} and ${isRecent} and head_sha = ${head_sha}
      and check_id > case event when 'status' then ${newest.status}::bigint else ${newest.check_run}::bigint end
    limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a delivery says that its repository is gone, and none was about it for longer than deliveries may be late: it may be restored. */
const saysGone = sql<boolean>`((github_deliveries.event, github_deliveries.action) = ('repository', 'deleted') and not exists (
  select from github_deliveries later where later.repository_id = github_deliveries.repository_id
    and later.received_at > github_deliveries.received_at + make_interval(secs => ${sql.lit(mostLagMs / 1000)}))) is true`

/** Whether the host has said that it deleted a repository, and shows none now, or another one: nothing can be read or merged there. */
export async function isDeleted(
  db: Database,
  repositories: Pick<Repositories, 'repositoryIdAt'>,
  { repoUrl, repositoryId }: { repoUrl: string; repositoryId: number | null },
): Promise<boolean> {
  const address = parseRepositoryUrl(repoUrl)
  if (!address || repositoryId === null) return false
  const { rows: said } =
    await sql`select from github_deliveries where repository_id = ${repositoryId} and ${saysGone} limit 1`.execute(
      db,
    )
  return said.length > 0 && (await repositories.repositoryIdAt(address)) !== repositoryId
}

/** Deletes the oldest deliveries, which nobody repeats any more, but for those that say that a repository is gone. */
export async function deleteOldDeliveries(db: Database): Promise<void> {
  await deleteOldReports(db)
  await sql`delete from github_deliveries where id = any(array(
    select id from github_deliveries where received_at < now() - make_interval(days => ${sql.lit(keptDays)})
      and not ${saysGone} order by received_at limit 10000))`.execute(db)
}
