import { z } from 'zod'
import { agentProcedure, operation } from '../../trpc.ts'
import { id, limit, pageEnd } from '../fields.ts'
import { cutPage, unknownCursor } from '../page.ts'
import { findRelay } from '../relays/queries.ts'
import { listWithdrawals } from './queries.ts'
import { presentWithdrawal, withdrawal } from './schema.ts'

/** Lists the caller's withdrawals, newest first. */
export const list = agentProcedure
  .meta(
    operation({
      method: 'GET',
      path: '/api/agents/me/withdrawals',
      resource: 'withdrawals',
      access: 'agent',
      summary: 'List the withdrawals of the caller',
      description: 'Newest first. For the next page, send `next` of this page as `before`.',
    }),
  )
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
    return { withdrawals: page.map(presentWithdrawal), ...end }
  })
