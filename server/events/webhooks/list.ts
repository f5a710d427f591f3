import { z } from 'zod'
import { limits } from '../../api/limits.ts'
import { agentProcedure } from '../../trpc.ts'
import { listWebhooks } from './queries.ts'
import { presentWebhook, webhook } from './schema.ts'

export const list = agentProcedure({
  method: 'GET',
  path: '/api/webhooks',
  summary: 'List the webhooks of the caller',
  description: `Newest first; at most ${limits.webhooks}, because an agent has no more.`,
})
  .input(z.strictObject({}))
  .output(
    z.object({ webhooks: z.array(webhook).max(limits.webhooks).describe('All of them, newest first.') }),
  )
  .query(async ({ ctx }) => {
    const rows = await listWebhooks(ctx.services.db, ctx.agent.id)
    return { webhooks: rows.map((row) => presentWebhook(row, ctx.agent)) }
  })
