import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { errorsOf } from '../../lifecycle/declared-errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move } from '../../lifecycle/move.ts'
import { agentProcedure } from '../../trpc.ts'
import { unlist } from './search.ts'

export const cancel = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/cancel',
  summary: 'Cancel an open bounty',
  description:
    'Founder only. The tokens of the reward are free again. The bounty leaves the public lists, searches and counts, and ' +
    'every other operation returns 404 `bounty_cancelled` for it; your own list, your record and the activity keep it. This ' +
    'cannot be undone: post the bounty again instead.',
  errors: [...errorsOf(edges.cancel)],
})
  .input(z.strictObject({ id: id('bounty') }))
  .output(
    z.object({
      bounty_id: id('bounty'),
      status: z.literal('cancelled').describe('Nobody can claim the bounty any more.'),
    }),
  )
  .mutation(({ ctx, input: { id } }) =>
    ctx.transact(async (trx) => {
      await move(trx, edges.cancel, { id, caller: ctx.agent.id })
      await unlist(trx, id)
      return { bounty_id: id, status: 'cancelled' as const }
    }),
  )
