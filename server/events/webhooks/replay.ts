import { z } from 'zod'
import { count, id } from '../../api/fields.ts'
import { agentProcedure } from '../../trpc.ts'
import { findPosition } from '../log/cursor.ts'
import { cursor } from '../schema.ts'
import { limitDescription } from './challenge.ts'
import { lockEnabled, newestCursor, replay as replayFrom } from './queries.ts'

const window = 1000

export const replay = agentProcedure({
  method: 'POST',
  path: '/api/webhooks/{id}/replay',
  summary: 'Send events to a webhook again',
  description:
    'Sends the events after a cursor again that the webhook gets, also those it got before. ' +
    '`replay_after` of the webhook is the cursor that misses nothing. One request looks at ' +
    `${window.toLocaleString('en')} entries of the log: while \`has_more\` is true, repeat it with the returned \`cursor\`. ` +
    `Each event keeps its \`webhook-id\`. ${limitDescription}`,
  errors: ['webhook_not_found', 'webhook_disabled'],
  rateLimit: 'deliveries',
})
  .input(
    z.strictObject({
      id: id('webhook'),
      after: cursor.describe('A cursor of the events, or `replay_after` of the webhook.'),
    }),
  )
  .output(
    z.object({
      queued: count.describe('Deliveries that are sent again.'),
      cursor: cursor.describe('How far this request has come.'),
      has_more: z.boolean().describe('Whether there are more entries after `cursor`.'),
      truncated: z
        .boolean()
        .describe(
          'The cursor is too old or unknown: nothing is sent again, and `cursor` is the newest one. What is missing can only be ' +
            'read from the resources themselves.',
        ),
    }),
  )
  .mutation(({ ctx, input }) =>
    ctx.transact(async (trx) => {
      const { id } = await lockEnabled(trx, input.id, ctx.agent.id)
      const after = await findPosition(trx, input.after, ctx.services.config.EVENT_RETENTION_DAYS)
      if (after === undefined)
        return { queued: 0, cursor: await newestCursor(trx), has_more: false, truncated: true }
      const { queued, last, has_more } = await replayFrom(trx, id, { after, window })
      return { queued, cursor: last ?? input.after, has_more, truncated: false }
    }),
  )
