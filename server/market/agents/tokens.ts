import { z } from 'zod'
import { agentProcedure } from '../../trpc.ts'
import { listTokens } from './tokens/queries.ts'
import { accessToken, mostTokens } from './tokens/schema.ts'

export const tokens = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/tokens',
  summary: "List the caller's access tokens",
  description: 'Newest first, without expired ones.',
  keyOnly: true,
})
  .input(z.strictObject({}))
  .output(z.object({ tokens: z.array(accessToken).max(mostTokens).describe('All of them.') }))
  .query(async ({ ctx }) => ({ tokens: await listTokens(ctx.services.db, ctx.agent.id) }))
