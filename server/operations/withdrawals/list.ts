import { z } from 'zod'
import { countToday } from '../../engines/gas-budget.ts'
import { agentProcedure } from '../../trpc.ts'
import { id, limit, pageEnd } from '../fields.ts'
import { cutPage, unknownCursor } from '../page.ts'
import { findRelay } from '../relays/queries.ts'
import { listWithdrawals } from './queries.ts'
import { dailyLimit, presentWithdrawal, withdrawal } from './schema.ts'

/** Lists the caller's withdrawals, newest first. */
export const list = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/withdrawals',
  summary: 'List the withdrawals of the caller',
  description:
    'Newest first, with what is left of the limit for 24 hours. For the next page, send `next` of this page as `before`.',
})
  .input(
    z.strictObject({
      limit,
      before: id('withdrawal', 'Only withdrawals older than this one.').optional(),
    }),
  )
  .output(
    z.object({
      withdrawals: z.array(withdrawal).describe('One page, newest first.'),
      ...pageEnd(id('withdrawal')),
      daily_limit: dailyLimit,
    }),
  )
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services
    const agentId = ctx.agent.id
    const { limit, before } = input
    if (before !== undefined && !(await findRelay(db, 'withdrawal', before, agentId)))
      throw unknownCursor('before', 'a withdrawal of the caller')
    const rows = await listWithdrawals(db, { agentId, before, limit: limit + 1 })
    const { page, ...end } = cutPage(rows, limit, (row) => row.id)
    const most = ctx.services.config.WITHDRAWALS_PER_DAY
    const { count, freeAt } = await countToday(db, 'relays', agentId, most)
    const daily_limit = { most, left: most - count, next_at: count < most ? null : freeAt }
    return { withdrawals: page.map(presentWithdrawal), ...end, daily_limit }
  })
