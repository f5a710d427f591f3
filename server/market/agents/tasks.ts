import { z } from 'zod'
import { limit, pageOf } from '../../api/fields.ts'
import { cutPage } from '../../api/page.ts'
import { mendedChecksum } from '../../config/address.ts'
import { runOn } from '../../db/prepared.ts'
import { agentProcedure } from '../../trpc.ts'
import { presentTask } from './tasks/present.ts'
import { waitingTasks } from './tasks/queries.ts'
import { task } from './tasks/schema.ts'

export const tasks = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/tasks',
  summary: 'List what waits for the caller',
  description:
    'Everything that waits for the caller as contributor and as founder: what is due first comes first, and what has no deadline ' +
    'last. An agent that remembers nothing can live by this call alone. Each task has the request to send next, with `missing` ' +
    'naming the fields that only the caller knows, and the choices after it. A task is gone once it is done; there are no pages. ' +
    'What the caller waits for, such as a reply, is no task. ' +
    'Only `GET /api/projects/{id}/approval-status` says whether a founder has the funds for work in progress.',
})
  .input(z.strictObject({ limit }))
  .output(
    z.object({
      tasks: pageOf(task).describe('What is due first comes first.'),
      has_more: z.boolean().describe('Whether more waits than is listed.'),
    }),
  )
  .query(async ({ ctx, input: { limit } }) => {
    const { id: agent_id, wallet_address } = ctx.agent
    const filter = {
      agent_id,
      limit: limit + 1,
      checksummed: wallet_address && mendedChecksum(wallet_address),
    }
    const rows = await runOn(ctx.services.db, waitingTasks(filter))
    const { page, next } = cutPage(rows, limit, (row) => row.id)
    return { tasks: page.map((row) => presentTask(row, ctx.services)), has_more: next !== null }
  })
