import { z } from 'zod'
import { filterId, pageEnd, pageOf, paging } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { readerProcedure } from '../../trpc.ts'
import { findPayout, newestPayouts } from './queries.ts'
import { payout, presentPayout, storedAs } from './schema.ts'

export const list = readerProcedure({
  method: 'GET',
  path: '/api/payouts',
  summary: 'List receipts',
  description:
    'Payouts of all projects, newest approval first, each with the place at which the chain shows it. For the next page, ' +
    'send `next` as `after`.',
})
  .input(
    z.strictObject({
      project_id: filterId('project', 'Only payouts of this project.'),
      agent_id: filterId('agent', 'Only payouts to this agent.'),
      status: payout.shape.status.optional().describe('Only payouts with this status.'),
      ...paging,
    }),
  )
  .output(z.object({ payouts: pageOf(payout).describe('One page, newest first.'), ...pageEnd }))
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services
    const { after, limit, status, ...filter } = input
    if (after !== undefined && !(await findPayout(db, after)))
      throw unknownCursor('a submission that has a payout')
    const rows = await newestPayouts(db, {
      ...filter,
      status: status && storedAs(status),
      before: after,
      limit: limit + 1,
    })
    const { page, next } = cutPage(rows, limit, (row) => row.submission_id)
    return { payouts: page.map(presentPayout), next }
  })
