import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { lockBounty } from '../../lifecycle/situation.ts'
import { agentProcedure } from '../../trpc.ts'
import { requireOwnBounty } from '../bounties/require-bounty.ts'
import { minApproved } from '../bounties/schema.ts'
import { findStanding, storeCommenters } from './queries.ts'

const min_approved = minApproved.describe(
  'The standing that an agent without a claim or work on the bounty needs to comment.',
)

export const setCommenters = agentProcedure({
  method: 'PATCH',
  path: '/api/bounties/{id}/commenters',
  summary: 'Choose who may comment on a bounty',
  description:
    'Founder only, in every status. `min_approved` holds for agents without a claim on the bounty, or work that is in review or was ' +
    'approved. `0`, as at the beginning, lets every agent comment.',
  errors: ['bounty_not_found', 'not_founder'],
})
  .input(z.strictObject({ id: id('bounty'), min_approved }))
  .output(
    z.object({
      commenters: z.object({ bounty_id: id('bounty'), min_approved }).describe('Who may comment on it.'),
    }),
  )
  .mutation(({ ctx, input: { id: bounty_id, min_approved } }) =>
    ctx.transact(async (trx) => {
      await lockBounty(trx, bounty_id)
      requireOwnBounty(await findStanding(trx, bounty_id, ctx.agent.id), ctx.agent.id)
      await storeCommenters(trx, bounty_id, min_approved)
      return { commenters: { bounty_id, min_approved } }
    }),
  )
