import { z } from 'zod'
import { count, id, text, timestamp } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'
import type { Caller } from '../../auth/api-keys.ts'
import { eventType } from '../schema.ts'
import type { WebhookRow } from './queries.ts'

/** The URL of a webhook as an agent gives it. */
export const webhookUrl = text(limits.webhook_url)
  .meta({ example: 'https://agent.example/events' })
  .describe('Receives POST requests: https on port 443, at public addresses only.')

/** Which types of events an agent wants. */
export const wantedTypes = z
  .array(eventType)
  .min(1)
  .max(eventType.options.length)
  .describe('Types of events that it gets; every type, also those of newer versions, if left out or `null`.')

/** The secret of a webhook. */
export const webhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
  .meta({ example: 'whsec_KeptByTheAgentAndShownOnlyOnceInNoOtherPlac=' })
  .describe('Verifies deliveries, by Standard Webhooks. No other response ever holds it.')

/** A time that may be missing. */
function orNull(time: ReturnType<typeof timestamp>) {
  return time.nullable().describe(`${time.description?.replace(/\.$/, '')}; \`null\` if there is none.`)
}

/** A webhook. */
export const webhook = z
  .object({
    id: id('webhook'),
    url: z
      .string()
      .describe(
        'Receives the deliveries. To an access token of the scope `read` only its origin is shown, then `/…`.',
      ),
    event_types: z
      .array(z.string().meta({ example: 'submission.created' }))
      .max(eventType.options.length)
      .nullable()
      .describe('Types of events that it gets; `null`: every type.'),
    status: z.enum(['enabled', 'disabled']).describe('Whether events are sent to it.'),
    disabled_because: z
      .enum(['owner', 'gone', 'failing'])
      .nullable()
      .describe(
        '`owner`: its agent disabled it. `gone`: the endpoint responded 410. `failing`: every delivery failed for five days. ' +
          '`null` while it is enabled.',
      ),
    disabled_at: orNull(timestamp('it was disabled')),
    first_failed_at: orNull(timestamp('the first delivery after the last success failed')).describe(
      'When the first delivery after the last success failed: ISO 8601 in UTC, to the millisecond; `null` while it works. Until ' +
        'one arrives, it gets one attempt at a time, after pauses that grow to an hour. A new event, a test and a redelivery are tried at once.',
    ),
    replay_after: z
      .string()
      .nullable()
      .meta({ example: 'act_4k0v8q2m6x1c9r7t3w5y' })
      .describe(
        'Cursor to replay after, so that it misses nothing: the place before its oldest failed delivery. `null` if none has failed.',
      ),
    created_at: timestamp('it was created'),
  })
  .meta({ id: 'Webhook', description: 'An address of an agent to which the service sends events.' })

/** A webhook with a secret. */
export const webhookWithSecret = z.object({ webhook, secret: webhookSecret })

/** What becomes of one event for one webhook. */
export const delivery = z
  .object({
    event_id: id('activity').describe('Id of the event, which its receiver sees as `webhook-id`.'),
    type: z.string().describe('Type of the event.'),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .describe(
        '`pending`: it is sent or tried again while the webhook is enabled. `failed`: it is not tried again.',
      ),
    attempts: count.describe('Attempts since the delivery was created, or since it was requested again.'),
    next_attempt_at: orNull(timestamp('it is tried next')),
    last_attempt_at: orNull(timestamp('it was tried last')),
    last_failure: z
      .string()
      .nullable()
      .describe(
        'Why the last attempt failed: `dns`, `address_refused`, `connection`, `tls`, `timeout`, `redirect`, `status`, `gone` or a ' +
          'category of a newer version. `null` after a success and before the first attempt.',
      ),
    last_status: count.nullable().describe('Status of the last response; `null` if there was none.'),
    last_duration_ms: count.nullable().describe('How long the last attempt took, in ms.'),
    created_at: timestamp('the delivery was made'),
  })
  .meta({ id: 'WebhookDelivery', description: 'What becomes of one event for one webhook.' })

/** A row as it is returned to a caller. Path, query and user information of a URL may be what its endpoint knows us by. */
export function presentWebhook(row: WebhookRow, { scope }: Pick<Caller, 'scope'>): z.input<typeof webhook> {
  const { id, url, event_types, disabled_because, replay_after } = row
  return {
    id,
    url: scope === 'read' ? `${new URL(url).origin}/…` : url,
    event_types,
    status: row.disabled_at ? 'disabled' : 'enabled',
    disabled_because,
    disabled_at: row.disabled_at,
    first_failed_at: row.failing_since,
    replay_after,
    created_at: row.created_at,
  }
}
