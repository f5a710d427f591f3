import { type RawBuilder, sql } from 'kysely'

/** Condition: the webhook `w` of a recipient of the entry `e` gets it. A test goes to the webhook it is for. */
const isWanted = sql<boolean>`(case when e.type = 'webhook.tested' then e.data ->> 'webhook_id' = w.id
  else w.event_types is null or e.type = any (w.event_types) end)`

/** Sets a webhook due, unless it is disabled: by its row as it is once the statement has locked it. */
export const dueNow = sql`due_at = case when disabled_at is null then least(due_at, clock_timestamp()) end`

/**
 * A delivery of each row of `entries` to each webhook that gets it, as common table expressions `deliveries` and `due`.
 * @param entries rows of `activity` with their positions
 * @param webhookId only to this webhook, also what happened before it was created; deliveries that are there already are
 *   made again. Without it what happened before stays out, less a minute: a transaction that began just before a webhook
 *   was created may commit after that.
 */
export function fanOut(entries: RawBuilder<unknown>, webhookId?: string): RawBuilder<unknown> {
  // One time for all that are made together, so that they are sent in the order of the log.
  const again = sql`do update set status = 'pending', attempts = 0, next_attempt_at = now()`
  // The array makes all deliveries before the first update: Postgres passes over rows to lock that the statement has updated.
  return sql`
  deliveries as (
    insert into webhook_deliveries (webhook_id, event_id, position)
    select w.id, e.id, e.position from ${entries} e
      join webhooks w on w.agent_id = any(e.recipients)
    where ${isWanted} and ${webhookId === undefined ? sql`e.created_at > w.created_at - interval '1 minute'` : sql`w.id = ${webhookId}`}
    for key share of w
    on conflict (webhook_id, event_id) ${webhookId === undefined ? sql`do nothing` : again}
    returning webhook_id),
  due as (
    update webhooks set ${dueNow} where id = any (array(select webhook_id from deliveries)))`
}
