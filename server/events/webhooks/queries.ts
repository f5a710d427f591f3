import { type Insertable, type SelectQueryBuilder, sql, type UpdateObject } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { DB, Webhooks } from '../../db/generated/tables.ts'
import { ServiceError } from '../../errors.ts'
import { beginning } from '../log/cursor.ts'
import { dueNow, fanOut } from '../log/fan-out.ts'

const columns = [
  'id',
  'url',
  'event_types',
  'disabled_at',
  'disabled_because',
  'failing_since',
  'created_at',
] as const

/** The cursor before the oldest failed delivery. Position 0 has no entry. */
const replayAfter = sql<string | null>`(select coalesce(activity.id, ${sql.lit(beginning)})
  from webhook_deliveries failed left join activity on activity.position = failed.position - 1
  where failed.webhook_id = webhooks.id and failed.status = 'failed' order by failed.position limit 1)`.as(
  'replay_after',
)

/** A webhook as operations need it. */
export type WebhookRow = Awaited<ReturnType<typeof requireWebhook>>

const shown = <Row>(webhooks: SelectQueryBuilder<DB, 'webhooks', Row>) =>
  webhooks.select(columns).select(['sealed_secrets', 'key_version']).select(replayAfter)

const owned = (db: Database, id: string, agentId: string) =>
  shown(db.selectFrom('webhooks').where('id', '=', id).where('agent_id', '=', agentId))

const notFound = () => new ServiceError('webhook_not_found')

/** The agent's webhook. @throws ServiceError `webhook_not_found`, also if it is another agent's */
export function requireWebhook(db: Database, id: string, agentId: string) {
  return owned(db, id, agentId).executeTakeFirstOrThrow(notFound)
}

/** As {@link requireWebhook}, and nobody changes it before the end of the transaction. */
export function lockWebhook(trx: Database, id: string, agentId: string) {
  return owned(trx, id, agentId).forNoKeyUpdate().executeTakeFirstOrThrow(notFound)
}

/** As {@link lockWebhook}. @throws ServiceError also `webhook_disabled` */
export async function lockEnabled(trx: Database, id: string, agentId: string): Promise<WebhookRow> {
  const row = await lockWebhook(trx, id, agentId)
  if (row.disabled_at) throw new ServiceError('webhook_disabled')
  return row
}

/** The agent's webhooks, newest first. */
export function listWebhooks(db: Database, agentId: string) {
  return shown(db.selectFrom('webhooks').where('agent_id', '=', agentId))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** How many webhooks the agent has. */
export async function countWebhooks(db: Database, agentId: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks')
    .where('agent_id', '=', agentId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Lets one transaction at a time add webhooks to an agent. */
export async function lockAgent(trx: Database, agentId: string): Promise<void> {
  await trx.selectFrom('agents').where('id', '=', agentId).select('id').forNoKeyUpdate().execute()
}

/** Stores a new webhook. */
export function insertWebhook(trx: Database, webhook: Insertable<Webhooks>) {
  return trx
    .insertInto('webhooks')
    .values(webhook)
    .returning(columns)
    .returning(['sealed_secrets', 'key_version', sql<string | null>`null`.as('replay_after')])
    .executeTakeFirstOrThrow()
}

/** Changes columns of a webhook; those that are undefined stay. */
export async function changeWebhook(
  trx: Database,
  id: string,
  changes: UpdateObject<DB, 'webhooks'>,
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return
  await trx.updateTable('webhooks').set(changes).where('id', '=', id).execute()
}

/** Deletes the agent's webhook and its deliveries, and returns it as it was. @throws ServiceError `webhook_not_found` */
export async function deleteWebhook(trx: Database, id: string, agentId: string) {
  // Locked as the deletion needs it: a lock that it had to raise could wait for the sequencer, which waits for the lock.
  const row = await owned(trx, id, agentId).forUpdate().executeTakeFirstOrThrow(notFound)
  await trx.deleteFrom('webhooks').where('id', '=', id).execute()
  return row
}

/** Starts a webhook anew, whether it was disabled or only failing, with all that waits. */
export async function restartWebhook(trx: Database, id: string): Promise<void> {
  await sql`
    with waiting as (
      update webhook_deliveries set next_attempt_at = clock_timestamp()
      where webhook_id = ${id} and status = 'pending' and next_attempt_at > now())
    update webhooks set disabled_at = null, disabled_because = null, failing_since = null, warned_at = null,
      due_at = clock_timestamp() where id = ${id}`.execute(trx)
}

/** A disabled webhook gets no attempt; a failing one rests until it is due, whatever its deliveries say. */
const nextAttemptAt = sql<Date | null>`case when status = 'pending' and disabled_at is null then
  greatest(next_attempt_at, case when failing_since is not null then due_at end) end`.as('next_attempt_at')

const deliveryColumns = [
  'event_id',
  'status',
  'attempts',
  'last_attempt_at',
  'last_failure',
  'last_status',
  'last_duration_ms',
  'webhook_deliveries.created_at',
] as const

const deliveriesOf = (db: Database, webhookId: string) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('activity', 'activity.id', 'event_id')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .where('webhook_id', '=', webhookId)
    .select(deliveryColumns)
    .select(nextAttemptAt)
    .select('activity.type')

/** The delivery of an event. */
export function findDelivery(db: Database, webhookId: string, eventId: string) {
  return deliveriesOf(db, webhookId).where('event_id', '=', eventId).executeTakeFirst()
}

/** Which deliveries to list. */
export interface DeliveryFilter {
  limit: number
  /** Id of an event: only deliveries of older ones. */
  before?: string | undefined
  status?: 'pending' | 'delivered' | 'failed' | undefined
}

/** The deliveries of a webhook, newest event first. */
export function listDeliveries(db: Database, webhookId: string, { limit, before, status }: DeliveryFilter) {
  let query = deliveriesOf(db, webhookId)
  // Literal, so that the planner sees that the index of the undelivered ones holds them all.
  if (status) query = query.where('status', '=', sql.lit(status))
  if (before !== undefined)
    query = query.where('webhook_deliveries.position', '<', (of) =>
      of
        .selectFrom('webhook_deliveries as other')
        .where('other.webhook_id', '=', webhookId)
        .where('other.event_id', '=', before)
        .select('other.position'),
    )
  return query.orderBy('webhook_deliveries.position', 'desc').limit(limit).execute()
}

/** Makes a delivery again; false if the webhook has none of this event. */
export async function redeliver(trx: Database, webhookId: string, eventId: string): Promise<boolean> {
  const { rows } = await sql`
    with again as (
      update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = now()
      where webhook_id = ${webhookId} and event_id = ${eventId} returning webhook_id),
    due as (update webhooks set ${dueNow} where id in (select webhook_id from again))
    select from again`.execute(trx)
  return rows.length > 0
}

/** What one step of a replay did. */
export interface ReplayStep {
  /** Deliveries that it made. */
  queued: number
  /** Cursor of the last entry it has looked at; null if there is none after `after`. */
  last: string | null
  /** Whether there are entries after that. */
  has_more: boolean
}

/** Makes the deliveries of the `window` entries after a position again. */
export async function replay(
  trx: Database,
  webhookId: string,
  { after, window }: { after: number; window: number },
): Promise<ReplayStep> {
  const { rows } = await sql<ReplayStep>`
    with entries as (
      select * from activity where position > ${after} and position <= ${after + window}),
    ${fanOut(sql`entries`, webhookId)},
    chosen as (select count(*)::int as queued from deliveries)
    select queued, (select id from entries order by position desc limit 1) as last,
      exists (select from activity where position > ${after + window}) as has_more
    from chosen`.execute(trx)
  return rows[0] as ReplayStep
}

/** The cursor behind the newest entry of the log. */
export async function newestCursor(db: Database): Promise<string> {
  const newest = await db
    .selectFrom('activity')
    .where('position', 'is not', null)
    .select('id')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id ?? beginning
}
