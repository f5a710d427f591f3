import { sql } from 'kysely'
import type { Logger } from 'pino'
import { recordActivity } from '../../db/activity.ts'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { disableWebhook } from './disable.ts'
import { type Attempt, endPending, type LeasedWebhook, type Recorded } from './store.ts'

const hour = 3600
/** After so much time without a success the agent is warned. */
const warnedAfterSeconds = 96 * hour
/** After so much time without a success the webhook is disabled, if the warning is a day old. */
const disabledAfterSeconds = 120 * hour
const warningSeconds = disabledAfterSeconds - warnedAfterSeconds

/** When a failing row of `webhooks` is disabled at the earliest, if nothing arrives before. */
export const disabledFrom = sql<Date>`greatest(failing_since + make_interval(secs => ${sql.lit(disabledAfterSeconds)}),
  coalesce(warned_at, now()) + make_interval(secs => ${sql.lit(warningSeconds)}))`

interface Context {
  db: Database
  log: Logger
}

/** Draws the consequences of a round that was recorded: each change of state is logged once, without the URL. */
export async function endAfterRound(
  { db, log }: Context,
  webhook: LeasedWebhook,
  attempts: Attempt[],
  { failingSeconds, warnedSeconds }: Recorded,
): Promise<void> {
  const failure = attempts.find((attempt) => attempt.failure !== null)
  const about = {
    webhookId: webhook.id,
    agentId: webhook.agent_id,
    category: failure?.failure,
    status: failure?.status,
  }
  const isGone = attempts.some((attempt) => attempt.failure === 'gone')
  const hasFailedFor = (seconds: number) => failingSeconds !== null && failingSeconds >= seconds
  const isWarned = warnedSeconds !== null && warnedSeconds >= warningSeconds
  if (isGone || (hasFailedFor(disabledAfterSeconds) && isWarned)) {
    const because = isGone ? 'gone' : 'failing'
    if (!(await disable(db, webhook, because))) return
    log.warn({ ...about, because }, 'a webhook was disabled; its agent sees an event')
    await endPending(db, webhook.id)
    return
  }
  if (!webhook.isFailing && failingSeconds !== null)
    log.warn(about, 'a webhook fails: nothing arrives; its deliveries are tried again for five days')
  if (webhook.isFailing && failingSeconds === null)
    log.info({ webhookId: webhook.id, agentId: webhook.agent_id }, 'a webhook works again')
  if (hasFailedFor(warnedAfterSeconds) && warnedSeconds === null) await warn(db, webhook)
}

/** Disables a webhook, unless its agent has given it another URL meanwhile. */
function disable(
  db: Database,
  { id, agent_id, url }: LeasedWebhook,
  because: 'gone' | 'failing',
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const same = await trx
      .selectFrom('webhooks')
      .where('id', '=', id)
      .where('url', '=', url)
      .forNoKeyUpdate()
      .select('id')
      .executeTakeFirst()
    if (!same || !(await disableWebhook(trx, id, because))) return false
    await recordActivity(trx, entry('webhook.disabled', id, agent_id))
    return true
  })
}

/** Tells the agent, once, that a day later its webhook will be disabled. */
function warn(db: Database, { id, agent_id }: LeasedWebhook): Promise<void> {
  return inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('webhooks')
      .set({ warned_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where('warned_at', 'is', null)
      .where('failing_since', 'is not', null)
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await recordActivity(trx, entry('webhook.failing', id, agent_id))
  })
}

const entry = (type: 'webhook.failing' | 'webhook.disabled', webhook_id: string, agent_id: string) =>
  ({ type, visibility: 'private', agent_id, data: { webhook_id } }) as const
