import type { Database } from '../../db/client.ts'
import { ServiceError } from '../../errors.ts'
import { lockWebhook, type WebhookRow } from './queries.ts'

/**
 * The agent's webhook, locked until the end of the transaction.
 * @throws ServiceError `webhook_not_found`, `webhook_disabled`
 */
export async function requireEnabled(trx: Database, id: string, agentId: string): Promise<WebhookRow> {
  const row = await lockWebhook(trx, id, agentId)
  if (row.disabled_at) throw new ServiceError('webhook_disabled')
  return row
}
