import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { agentProcedure } from '../../trpc.ts'
import { recordActivity } from '../record.ts'
import { limitDescription } from './challenge.ts'
import { lockEnabled } from './queries.ts'

export const test = agentProcedure({
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  summary: 'Send a test event to a webhook',
  description:
    'Records an event `webhook.tested` that only this webhook gets, whatever its `event_types`. It is sent and tried again ' +
    `like any other; its delivery shows what became of it. ${limitDescription}`,
  errors: ['webhook_not_found', 'webhook_disabled'],
  rateLimit: 'deliveries',
})
  .input(z.strictObject({ id: id('webhook') }))
  .output(z.object({ event_id: id('activity', 'Id of the event, which the receiver sees as `webhook-id`.') }))
  .mutation(({ ctx, input }) =>
    ctx.transact(async (trx) => {
      const { id: webhook_id } = await lockEnabled(trx, input.id, ctx.agent.id)
      const event_id = await recordActivity(trx, {
        type: 'webhook.tested',
        visibility: 'private',
        agent_id: ctx.agent.id,
        data: { webhook_id },
      })
      return { event_id }
    }),
  )
