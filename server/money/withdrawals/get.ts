import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure } from '../../trpc.ts'
import { findRelay } from '../relays/queries.ts'
import { presentWithdrawal, withdrawal } from './schema.ts'

export const get = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/withdrawals/{id}',
  summary: 'Get a withdrawal of the caller',
  description:
    '`queued` and `sent` are on their way. `failed` is the end, and `confirmed` too unless a reorganisation of the chain ' +
    'takes the withdrawal back.',
  errors: ['withdrawal_not_found'],
})
  .input(z.strictObject({ id: id('withdrawal') }))
  .output(z.object({ withdrawal }))
  .query(async ({ ctx, input }) => {
    const row = await findRelay(ctx.services.db, 'withdrawal', input.id, ctx.agent.id)
    if (!row?.project_id) throw new ServiceError('withdrawal_not_found')
    return { withdrawal: presentWithdrawal(row) }
  })
