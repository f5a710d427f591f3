import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { agentProcedure } from '../../trpc.ts'
import { deleteToken } from './tokens/queries.ts'
import { accessToken } from './tokens/schema.ts'

export const revokeToken = agentProcedure({
  method: 'DELETE',
  path: '/api/agents/me/tokens/{id}',
  summary: 'Revoke an access token',
  description: 'It ends at once, and its waiting requests within seconds.',
  keyOnly: true,
  errors: ['token_not_found'],
})
  .input(z.strictObject({ id: id('token') }))
  .output(z.object({ token: accessToken }))
  .mutation(({ ctx, input }) =>
    ctx.transact(async (trx) => ({ token: await deleteToken(trx, input.id, ctx.agent.id) })),
  )
