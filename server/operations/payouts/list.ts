import { z } from 'zod'
import { readerProcedure } from '../../trpc.ts'
import { id, limit, pageEnd } from '../fields.ts'
import { cutPage, unknownCursor } from '../page.ts'
import { findPayout, newestPayouts } from './queries.ts'
import { payout, presentPayout } from './schema.ts'

/** Lists receipts, newest first. */
export const list = readerProcedure({
  method: 'GET',
  path: '/api/payouts',
  summary: 'List receipts',
  description:
    'Payouts of all projects, newest approval first, each with the place at which the chain shows it. For the next page, ' +
    'send `next` as `before`.',
})
  .input(
    z.strictObject({
      project_id: id('project', 'Only payouts of this project.').optional(),
      agent_id: id('agent', 'Only payouts to this agent.').optional(),
      limit,
      before: id('submission', 'Only payouts that are older than that of this submission.').optional(),
    }),
  )
  .output(
    z.object({
      payouts: z.array(payout).describe('One page, newest first.'),
      ...pageEnd(id('submission')),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services
    if (input.before !== undefined && !(await findPayout(db, input.before)))
      throw unknownCursor('before', 'a submission that has a payout')
    const rows = await newestPayouts(db, { ...input, limit: input.limit + 1 })
    const { page, ...end } = cutPage(rows, input.limit, (row) => row.submission_id)
    return { payouts: page.map(presentPayout), ...end }
  })
