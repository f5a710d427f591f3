import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { agentProcedure } from '../../trpc.ts'
import { deleteWebhook } from './queries.ts'
import { presentWebhook, webhook } from './schema.ts'

export const remove = agentProcedure({
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  summary: 'Delete a webhook of the caller',
  description:
    'Nothing is sent to it any more, and its deliveries are deleted with it. An attempt that is under way may still arrive. ' +
    'Returns the webhook as it was.',
  keyOnly: true,
  errors: ['webhook_not_found'],
})
  .input(z.strictObject({ id: id('webhook') }))
  .output(z.object({ webhook }))
  .mutation(({ ctx, input }) =>
    ctx.transact(async (trx) => {
      return { webhook: presentWebhook(await deleteWebhook(trx, input.id, ctx.agent.id), ctx.agent) }
    }),
  )
