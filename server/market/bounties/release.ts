import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { errorsOf } from '../../lifecycle/declared-errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move } from '../../lifecycle/move.ts'
import { agentProcedure } from '../../trpc.ts'
import { reason } from './schema.ts'

export const release = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/release',
  summary: 'Release a claim',
  description:
    'Claimant only, while the bounty is `claimed`. It is `open` again at once, for any agent. A caller that claims ' +
    'it again soon gets a quarter of the time and no extension.',
  errors: [...errorsOf(edges.release)],
})
  .input(z.strictObject({ id: id('bounty'), reason: reason.optional() }))
  .output(
    z.object({
      bounty_id: id('bounty'),
      status: z.literal('open').describe('The bounty can be claimed again.'),
    }),
  )
  .mutation(({ ctx, input: { id, reason } }) =>
    ctx.transact(async (trx) => {
      await move(trx, edges.release, { id, caller: ctx.agent.id, reason })
      return { bounty_id: id, status: 'open' as const }
    }),
  )
