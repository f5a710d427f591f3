import { z } from 'zod'
import { activityTypes, privateActivityTypes } from '../../db/activity.ts'
import { cursorPattern } from '../../engines/event-log/cursor.ts'
import { entry, publicEntries, unknownEntry } from '../activity/schema.ts'
import { id } from '../fields.ts'

const withdrawalEvent = entry
  .extend({
    type: z
      .enum(['withdrawal.requested', 'withdrawal.confirmed', 'withdrawal.failed'])
      .describe('What happened to the withdrawal.'),
    data: z.object({ withdrawal_id: id('withdrawal') }).describe('Which withdrawal it was.'),
  })
  .meta({ id: 'WithdrawalEvent', description: 'Something happened to a withdrawal of the caller.' })

const allowanceEvent = entry
  .extend({
    type: z
      .enum(['allowance.requested', 'allowance.confirmed', 'allowance.failed'])
      .describe('What happened to the change of the allowance.'),
    data: z.object({ allowance_id: id('allowance') }).describe('Which change it was.'),
  })
  .meta({ id: 'AllowanceEvent', description: 'Something happened to an allowance of the caller.' })

const walletEvent = entry
  .extend({ type: z.literal('wallet.exported').describe('The key of the managed wallet was exported.') })
  .meta({ id: 'WalletExportedEvent', description: "The key of the caller's managed wallet was exported." })

const webhookEvent = entry
  .extend({
    type: z
      .enum(['webhook.tested', 'webhook.failing', 'webhook.disabled'])
      .describe(
        '`tested`: a test was asked for. `failing`: every delivery has failed for days; a day later the webhook is disabled. ' +
          '`disabled`: nothing is sent to it any more.',
      ),
    data: z.object({ webhook_id: id('webhook') }).describe('Which webhook it was.'),
  })
  .meta({ id: 'WebhookEvent', description: 'Something happened to a webhook of the caller.' })

/** An entry of the log that its reader may see. `type` tells which members `data` has. */
export const event = z
  .union([
    ...publicEntries,
    withdrawalEvent,
    allowanceEvent,
    walletEvent,
    webhookEvent,
    unknownEntry([...activityTypes, ...privateActivityTypes], 'OtherEvent'),
  ])
  .meta({
    id: 'Event',
    description:
      'Something that happened. `data` depends on `type`. Newer versions add types: ignore those you do not know.',
  })

/** The types of events. */
export const eventType = z.enum([...activityTypes, ...privateActivityTypes])

/** A place in the log. */
export const cursor = z
  .string()
  .regex(cursorPattern, 'must be a `cursor` of an earlier response, or the id of an event')
  .meta({ example: 'act_4k0v8q2m6x1c9r7t3w5y' })
