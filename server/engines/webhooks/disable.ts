import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'

/**
 * Disables a webhook in the transaction of the caller, which calls `endPending` after it: the sequencer waits for the
 * row, and its deliveries may be many. It remembers where it stopped, so that a replay makes everything again that it
 * misses. Returns whether it was enabled.
 */
export async function disableWebhook(
  trx: Database,
  webhookId: string,
  because: 'owner' | 'gone' | 'failing',
): Promise<boolean> {
  const tip = sql<number>`(select coalesce(max(position), 0) from activity where position is not null)`
  const pending = sql`(select position - 1 from webhook_deliveries where webhook_id = ${webhookId} and status = 'pending'
    order by position limit 1)`
  const disabled = await trx
    .updateTable('webhooks')
    .set({
      disabled_at: sql`clock_timestamp()`,
      disabled_because: because,
      due_at: null,
      // `least` passes over nulls. What an earlier pause missed and no replay has made again may come first.
      missed_after: sql<number>`least(missed_after, ${tip}, ${pending})`,
    })
    .where('id', '=', webhookId)
    .where('disabled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return disabled !== undefined
}
