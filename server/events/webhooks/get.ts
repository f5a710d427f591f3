import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { agentProcedure } from '../../trpc.ts'
import { requireWebhook } from './queries.ts'
import { presentWebhook, webhook } from './schema.ts'

export const get = agentProcedure({
  method: 'GET',
  path: '/api/webhooks/{id}',
  summary: 'Get a webhook of the caller',
  description:
    'Whether it works: `first_failed_at` is `null`, `status` is `enabled` and `replay_after` is `null`.',
  errors: ['webhook_not_found'],
})
  .input(z.strictObject({ id: id('webhook') }))
  .output(z.object({ webhook }))
  .query(async ({ ctx, input }) => {
    const row = await requireWebhook(ctx.services.db, input.id, ctx.agent.id)
    return { webhook: presentWebhook(row, ctx.agent) }
  })
