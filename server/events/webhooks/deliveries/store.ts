import { sql } from 'kysely'
import type { Database } from '../../../db/client.ts'
import { acquireLease, inSeconds, leaseExpired, leases, noLease } from '../../../db/lease.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { type ActivityRow, actorOf, recordActivity } from '../../record.ts'
import type { AttemptResult } from './endpoint.ts'
import { type Consequences, consequencesOf, disabled, type Standing } from './lasting-failure.ts'

/** A webhook that this process works on. */
export interface LeasedWebhook {
  id: string
  agent_id: string
  url: string
  sealed_secrets: Buffer
  key_version: number
  /** Whether nothing has arrived since the last failure. */
  isFailing: boolean
  holder: string
}

/** Which webhooks to lease. */
export interface DueWebhooks {
  /** Whether those that fail or those that work. */
  failing: boolean
  limit: number
  /** Versions of the master key that open their secrets. */
  keyVersions: readonly number[]
}

const isDue = sql`due_at <= now() and ${leaseExpired('lease_until')}`

/** Whether a webhook has something due, and no process serves it. */
export const hasDue = () => sql`exists (select from webhooks where ${isDue})`

/**
 * Leases webhooks that have something due, those first that waited longest. While a webhook is leased it is due at the end
 * of the lease: if the process ends, another takes it up then. A delivery that is added meanwhile sets an earlier time.
 */
export async function leaseDue(
  db: Database,
  { failing, limit, keyVersions }: DueWebhooks,
  { holder, seconds }: { holder: string; seconds: number },
): Promise<LeasedWebhook[]> {
  const leased = acquireLease<LeasedWebhook>(leases.webhooks, {
    rows: sql`id in (select id from chosen)`,
    holder,
    seconds,
    set: sql`due_at = ${inSeconds(seconds)}`,
    returning: sql`id, agent_id, url, sealed_secrets, key_version, failing_since is not null as "isFailing",
      lease_owner as holder`,
  })
  const { rows } = await sql<LeasedWebhook>`
    with chosen as materialized (
      select id from webhooks
      where ${isDue}
        and (failing_since is not null) = ${failing} and key_version = any(${keyVersions}::smallint[])
      order by due_at limit ${limit} for no key update skip locked)
    ${leased}`.execute(db)
  return rows
}

/**
 * Whether a webhook has something due that no key of these versions can sign. What no other process has taken up for
 * seconds rests for a minute, or it would wake the worker with every poll of the log.
 */
export async function hasUnreadable(db: Database, keyVersions: readonly number[]): Promise<boolean> {
  const isUnreadable = sql`key_version <> all(${keyVersions}::smallint[])`
  const { rows } = await sql`
    with resting as (
      update webhooks set due_at = ${inSeconds(60)} where due_at <= now() - interval '5 seconds' and ${isUnreadable})
    select from webhooks where due_at <= now() and ${isUnreadable} limit 1`.execute(db)
  return rows.length > 0
}

/** A delivery that is due, with its event. */
export interface DueDelivery {
  attempts: number
  /** When it was due, to the microsecond: who makes it again changes this. */
  due: string
  /** When it was read, by the database's clock: receivers refuse what a wrong clock has signed. */
  readAt: Date
  event: ActivityRow
}

/**
 * Up to `limit` deliveries of a webhook that are due, oldest first. Of one that fails the newest comes first, because new
 * events show best whether it works again: an older one may fail for reasons of its own.
 */
export async function loadDue(
  db: Database,
  { id, isFailing }: Pick<LeasedWebhook, 'id' | 'isFailing'>,
  limit: number,
): Promise<DueDelivery[]> {
  const { rows } = await sql<Omit<DueDelivery, 'event'> & ActivityRow>`
    select d.attempts, d.next_attempt_at::text as due, clock_timestamp() as "readAt",
      a.id, a.type, a.agent_id, ${actorOf('a')}, a.project_id, a.bounty_id, a.submission_id, a.data, a.created_at
    from webhook_deliveries d join activity a on a.id = d.event_id join webhooks w on w.id = d.webhook_id
    where d.webhook_id = ${id} and w.disabled_at is null and d.status = 'pending' and d.next_attempt_at <= now()
    order by ${isFailing ? sql`d.next_attempt_at desc, d.position desc` : sql`d.next_attempt_at, d.position`}
    limit ${limit}`.execute(db)
  return rows.map(({ attempts, due, readAt, ...event }) => ({ attempts, due, readAt, event }))
}

/** An attempt with its result. */
export interface Attempt extends AttemptResult {
  delivery: DueDelivery
  /** Pause before the next attempt in seconds; null after a success and after the last attempt. */
  pauseSeconds: number | null
  /** `performance.now()` when it ended. */
  endedAt: number
}

/**
 * Records the attempts of a round, releases the webhook and stores what follows for it, in one transaction. Undefined if
 * the lease was lost, or the webhook was disabled or got another URL meanwhile: then attempts are only recorded, and failures at a URL of before not even that.
 * Deliveries that somebody made again during the round stay due, and so does a webhook that somebody made due.
 */
export function recordRound(
  db: Database,
  webhook: LeasedWebhook,
  attempts: Attempt[],
): Promise<Consequences | undefined> {
  const { id, agent_id, url, holder } = webhook
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<Standing & { isSame: boolean }>`
      select url = ${url} and disabled_at is null as "isSame",
        extract(epoch from clock_timestamp() - failing_since)::float8 as "failingSeconds",
        extract(epoch from clock_timestamp() - warned_at)::float8 as "warnedSeconds"
      from webhooks where id = ${id} and lease_owner = ${holder} for no key update`.execute(trx)
    const [standing] = rows
    // What failed at a URL of before says nothing about the new one.
    const counts = standing?.isSame === false ? attempts.filter(({ failure }) => failure === null) : attempts
    await recordAttempts(trx, id, counts)
    if (!standing) return undefined
    const consequences = consequencesOf(standing.isSame ? attempts : [], standing)
    await release(trx, id, consequences)
    const { disabledBecause, isWarned } = consequences
    if (disabledBecause || isWarned)
      await recordActivity(trx, {
        type: disabledBecause ? 'webhook.disabled' : 'webhook.failing',
        visibility: 'private',
        agent_id,
        data: { webhook_id: id },
      })
    return standing.isSame ? consequences : undefined
  })
}

async function recordAttempts(trx: Database, webhookId: string, attempts: Attempt[]): Promise<void> {
  const now = performance.now()
  const results = attempts.map(({ delivery, failure, status, durationMs, pauseSeconds, endedAt }) => ({
    id: delivery.event.id,
    due: delivery.due,
    failure,
    status,
    duration: durationMs,
    pause: pauseSeconds,
    ago: (now - endedAt) / 1000,
  }))
  await sql`
    update webhook_deliveries d set attempts = d.attempts + 1,
      status = case when r.failure is null then 'delivered' when r.pause is null then 'failed' else 'pending' end,
      next_attempt_at = clock_timestamp() + make_interval(secs => r.pause - r.ago),
      last_attempt_at = clock_timestamp() - make_interval(secs => r.ago),
      last_failure = r.failure, last_status = r.status, last_duration_ms = r.duration
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb)
      as r (id text, due timestamptz, failure text, status smallint, duration integer, pause float8, ago float8)
    where d.webhook_id = ${webhookId} and d.event_id = r.id and d.status = 'pending' and d.next_attempt_at = r.due`.execute(
    trx,
  )
}

/**
 * A webhook that works is due no earlier than now, behind all that wait already, however old the rest of its deliveries is.
 * What is due by now was made so during the round, or the lease has run out.
 */
async function release(
  trx: Database,
  id: string,
  { failingSeconds, restSeconds, isWarned, disabledBecause }: Consequences,
): Promise<void> {
  const due_at = sql<Date | null>`case when due_at > clock_timestamp() then (
    select greatest(next_attempt_at, ${inSeconds(restSeconds)}) from webhook_deliveries
    where webhook_id = ${id} and status = 'pending' order by next_attempt_at limit 1) else due_at end`
  const works = failingSeconds === null
  await trx
    .updateTable('webhooks')
    .set({
      lease_owner: null,
      lease_until: noLease,
      failing_since: works ? null : sql<Date>`coalesce(failing_since, clock_timestamp())`,
      warned_at: works ? null : isWarned ? sql<Date>`clock_timestamp()` : undefined,
      ...(disabledBecause ? disabled(disabledBecause) : { due_at }),
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes deliveries that have ended and were stored more than `days` ago, in short statements. What a disabled webhook has
 * not got by then it never gets. Deliveries are named by their key: `ctid` would name a row in each partition or shard.
 */
export async function deleteEndedDeliveries(db: Database, days: number, batch = 2000): Promise<void> {
  for (let deleted = batch; deleted === batch; ) {
    const { numAffectedRows } = await sql`
      with batch as materialized (
        select webhook_id, event_id from webhook_deliveries where created_at < now() - make_interval(days => ${days})
          and (status <> 'pending' or webhook_id in (select id from webhooks where disabled_at is not null))
        limit ${batch} for update skip locked)
      delete from webhook_deliveries where (webhook_id, event_id) in (select webhook_id, event_id from batch)`.execute(
      db,
    )
    deleted = Number(numAffectedRows ?? 0)
  }
}
