import { channel } from 'node:diagnostics_channel'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import type { Database } from '../../../db/client.ts'
import { emitStep } from '../../../loops/crash-steps.ts'
import { activityJson } from '../../record.ts'
import { signatureHeaders, type WebhookSecrets } from '../sealing.ts'
import type { Endpoints, FailureCategory } from './endpoint.ts'
import type { Consequences } from './lasting-failure.ts'
import { pauseAfter } from './schedule.ts'
import { type Attempt, type DueDelivery, type LeasedWebhook, loadDue, recordRound } from './store.ts'

/** The channel on which each attempt is published, for metrics. */
export const attemptChannel = 'bounty-marketplace:webhook-attempt'

/** What {@link attemptChannel} publishes. */
export interface AttemptOutcome {
  outcome: 'delivered' | FailureCategory
}

/** Deliveries of a webhook that one round sends, and how many at once. */
const mostInRound = 50
const atOnce = 10
/** After this time a round sends no more, so that no lease has to be renewed. */
const longestSendingMs = 5000

/** What a round needs. */
export interface RoundOptions {
  db: Database
  endpoints: Pick<Endpoints, 'deliver'>
  log: Logger
  /** Ends attempts that are under way; they are made again later. */
  signal: AbortSignal
}

const outcomes = channel(attemptChannel)

/**
 * Sends what is due of a leased webhook, and records and releases it. As long as nothing has arrived it sends no more once
 * something has failed; of a webhook that fails already it sends one delivery.
 */
export async function runRound(
  webhook: LeasedWebhook,
  secrets: WebhookSecrets,
  options: RoundOptions,
): Promise<void> {
  const { db } = options
  const due = await loadDue(db, webhook, webhook.isFailing ? 1 : mostInRound)
  const attempts = await sendAll(webhook, secrets, due, options)
  const consequences = await recordRound(db, webhook, attempts)
  emitStep('deliveries recorded', null)
  if (consequences) report(options.log, webhook, attempts, consequences)
}

/** Logs each change of state once, without the URL. */
function report(
  log: Logger,
  { id, agent_id, isFailing }: LeasedWebhook,
  attempts: Attempt[],
  { failingSeconds, disabledBecause: because }: Consequences,
): void {
  const failed = attempts.find(({ failure }) => failure !== null)
  const about = { webhookId: id, agentId: agent_id }
  const reason = { category: failed?.failure, status: failed?.status }
  if (because) log.warn({ ...about, ...reason, because }, 'a webhook was disabled; its agent sees an event')
  else if (isFailing && failingSeconds === null) log.info(about, 'a webhook works again')
  else if (!isFailing && failingSeconds !== null)
    log.warn(
      { ...about, ...reason },
      'a webhook fails: nothing arrives; its deliveries are tried again for five days',
    )
}

async function sendAll(
  { url }: LeasedWebhook,
  secrets: WebhookSecrets,
  due: DueDelivery[],
  { endpoints, signal }: RoundOptions,
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  const startedAt = performance.now()
  const isOver = () =>
    signal.aborted ||
    performance.now() - startedAt > longestSendingMs ||
    (attempts.length > 0 && attempts.every(({ failure }) => failure !== null))

  async function send(delivery: DueDelivery): Promise<void> {
    if (isOver()) return
    const result = await endpoints.deliver(url, { ...messageOf(delivery, secrets), signal })
    const pauseSeconds =
      result.failure === null ? null : pauseAfter(delivery.attempts + 1, result.retryAfterSeconds)
    attempts.push({ ...result, delivery, pauseSeconds, endedAt: performance.now() })
    outcomes.publish({ outcome: result.failure ?? 'delivered' } satisfies AttemptOutcome)
    emitStep('delivery sent', null)
  }

  const place = pLimit(atOnce)
  // An attempt rejects only where the process ends it.
  await Promise.allSettled(due.map((delivery) => place(() => send(delivery))))
  return attempts
}

/** The event as it is sent: the id of the event is the id of its delivery, whenever that is made. */
function messageOf({ event, readAt }: DueDelivery, secrets: WebhookSecrets) {
  const data = activityJson(event)
  const body = JSON.stringify({ type: data.type, timestamp: data.created_at, data })
  return { body, headers: signatureHeaders(secrets, { id: data.id, body, now: readAt }) }
}
