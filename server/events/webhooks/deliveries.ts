import { z } from 'zod'
import { id, pageEnd, pageOf, paging } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { agentProcedure } from '../../trpc.ts'
import { findDelivery, listDeliveries, requireWebhook } from './queries.ts'
import { delivery } from './schema.ts'

export const deliveries = agentProcedure({
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Newest event first. For the next page, send `next` as `after`.',
  errors: ['webhook_not_found'],
})
  .input(
    z.strictObject({
      id: id('webhook'),
      ...paging,
      status: delivery.shape.status.optional().describe('Only deliveries with this status.'),
    }),
  )
  .output(z.object({ deliveries: pageOf(delivery).describe('One page, newest event first.'), ...pageEnd }))
  .query(async ({ ctx, input: { id, limit, after, status } }) => {
    const { db } = ctx.services
    await requireWebhook(db, id, ctx.agent.id)
    if (after !== undefined && !(await findDelivery(db, id, after)))
      throw unknownCursor('an event that has a delivery to this webhook')
    const rows = await listDeliveries(db, id, { limit: limit + 1, before: after, status })
    const { page, next } = cutPage(rows, limit, (row) => row.event_id)
    return { deliveries: page, next }
  })
