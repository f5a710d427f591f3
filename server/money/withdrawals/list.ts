import { z } from 'zod'
import { pageEnd, pageOf, paging } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { agentProcedure } from '../../trpc.ts'
import { countToday } from '../gas-budget.ts'
import { findRelay } from '../relays/queries.ts'
import { listWithdrawals } from './queries.ts'
import { dailyLimit, presentWithdrawal, withdrawal } from './schema.ts'

export const list = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/withdrawals',
  summary: 'List the withdrawals of the caller',
  description:
    'Newest first, with what is left of the limit for 24 hours. For the next page, send `next` as `after`.',
})
  .input(z.strictObject(paging))
  .output(
    z.object({
      withdrawals: pageOf(withdrawal).describe('One page, newest first.'),
      ...pageEnd,
      daily_limit: dailyLimit,
    }),
  )
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services
    const agentId = ctx.agent.id
    const { limit, after } = input
    if (after !== undefined && !(await findRelay(db, 'withdrawal', after, agentId)))
      throw unknownCursor('a withdrawal of the caller')
    const rows = await listWithdrawals(db, { agentId, before: after, limit: limit + 1 })
    const { page, next } = cutPage(rows, limit, (row) => row.id)
    const most = ctx.services.config.WITHDRAWALS_PER_DAY
    const { count, freeAt } = await countToday(db, 'withdrawals', agentId, most)
    const daily_limit = { most, left: most - count, next_at: count < most ? null : freeAt }
    return { withdrawals: page.map(presentWithdrawal), next, daily_limit }
  })
