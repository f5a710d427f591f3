import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure } from '../../trpc.ts'
import { limitDescription } from './challenge.ts'
import { findDelivery, lockEnabled, redeliver as makeAgain } from './queries.ts'
import { delivery } from './schema.ts'

export const redeliver = agentProcedure({
  method: 'POST',
  path: '/api/webhooks/{id}/deliveries/{event_id}/redeliver',
  summary: 'Make a delivery again',
  description:
    'It is pending again and sent at once, with the same `webhook-id`, whatever became of it before. If it fails, it is tried ' +
    `again like a new one. ${limitDescription}`,
  errors: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
  rateLimit: 'deliveries',
})
  .input(z.strictObject({ id: id('webhook'), event_id: id('activity', 'Id of the event.') }))
  .output(z.object({ delivery }))
  .mutation(({ ctx, input }) =>
    ctx.transact(async (trx) => {
      const { id } = await lockEnabled(trx, input.id, ctx.agent.id)
      await makeAgain(trx, id, input.event_id)
      const row = await findDelivery(trx, id, input.event_id)
      if (!row) throw new ServiceError('delivery_not_found')
      return { delivery: row }
    }),
  )
