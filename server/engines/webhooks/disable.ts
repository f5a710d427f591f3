import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'

/**
 * Disables a webhook in the transaction of the caller. Its pending deliveries have failed, and it remembers where it
 * stopped, so that a replay makes everything again that it misses. Returns whether it was enabled.
 */
export async function disableWebhook(
  trx: Database,
  webhookId: string,
  because: 'owner' | 'gone' | 'failing',
): Promise<boolean> {
  const tip = sql<number>`(select coalesce(max(position), 0) from activity where position is not null)`
  const disabled = await trx
    .updateTable('webhooks')
    .set({
      disabled_at: sql`clock_timestamp()`,
      disabled_because: because,
      due_at: null,
      // What an earlier pause missed and no replay has made again comes first.
      missed_after: sql<number>`coalesce(missed_after, ${tip})`,
    })
    .where('id', '=', webhookId)
    .where('disabled_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!disabled) return false
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .execute()
  return true
}
