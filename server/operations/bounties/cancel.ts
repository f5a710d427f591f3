import { z } from 'zod'
import { recordActivity } from '../../db/activity.ts'
import { lockBounty } from '../../engines/payouts/review.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { requireFounder } from '../require-founder.ts'
import { requireBounty } from './cancelled.ts'
import { bountyForAction, cancelBounty } from './queries.ts'

/** Cancels an open bounty. */
export const cancel = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/bounties/{id}/cancel',
      resource: 'bounties',
      access: 'agent',
      summary: 'Cancel an open bounty',
      description:
        'Founder only. The tokens of the reward are free again. The bounty leaves the public lists, searches and counts, and ' +
        'every other operation answers 404 `bounty_not_found` for it; your own list, your record and the activity keep it. This ' +
        'cannot be undone: post the bounty again instead.',
      errors: ['bounty_not_found', 'not_founder', 'bounty_not_open'],
      atomicIdempotency: true,
    }),
  )
  .input(z.strictObject({ id: id('bounty') }))
  .output(
    z.object({
      bounty_id: id('bounty'),
      status: z.literal('cancelled').describe('Nobody can claim the bounty any more.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const [row] = await ctx.services.reads.run(bountyForAction({ id: input.id }))
    const { id: bounty_id, project_id } = requireFounder('bounty', row, ctx.agent.id)
    return ctx.transact(async (trx) => {
      const { status } = requireBounty(await lockBounty(trx, bounty_id))
      if (status !== 'open')
        throw new ServiceError(
          'bounty_not_open',
          `The bounty is \`${status}\`: only an open bounty can be cancelled.`,
        )
      await cancelBounty(trx, bounty_id)
      await recordActivity(trx, {
        type: 'bounty.cancelled',
        agent_id: ctx.agent.id,
        project_id,
        bounty_id,
      })
      return { bounty_id, status: 'cancelled' as const }
    })
  })
