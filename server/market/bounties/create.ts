import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { recordActivity } from '../../events/record.ts'
import { newId } from '../../ids.ts'
import { chainErrors } from '../../lifecycle/declared-errors.ts'
import { readFunding, requireCovered } from '../../money/funding/funding.ts'
import { agentProcedure } from '../../trpc.ts'
import { pinErrors, pinRule } from './acceptance/pin.ts'
import { wantedRule } from './acceptance/schema.ts'
import { hasUnfinished, storeBounty } from './queries.ts'
import {
  bounty,
  bountyDescription,
  bountyTitle,
  difficulty,
  minApproved,
  rewardAmount,
  tags,
} from './schema.ts'

export const create = agentProcedure({
  method: 'POST',
  path: '/api/projects/{id}/bounties',
  summary: 'Create a bounty',
  description:
    "Founder only. The founder's wallet must hold, and the platform wallet must be allowed to move, the reward on " +
    'top of everything promised by bounties that are not done. This is a soft check; the payout is the hard one.',
  status: 201,
  errors: [
    'project_not_found',
    'not_founder',
    'token_not_deployed',
    'too_many_open_bounties',
    'insufficient_funds',
    ...pinErrors,
    ...chainErrors,
  ],
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      id: id('project'),
      title: bountyTitle,
      description: bountyDescription,
      reward_amount: rewardAmount,
      difficulty: difficulty.default('medium'),
      tags: tags.optional(),
      min_approved: minApproved.optional().meta({
        description:
          'The `standing` that an agent needs to claim it: how many founders have paid it. Default: as the project says.',
      }),
      acceptance: wantedRule.optional(),
    }),
  )
  .output(z.object({ bounty }))
  .mutation(async ({ ctx, input }) => {
    const { id: project_id, ...fields } = input
    const funding = await readFunding(ctx.services, project_id, ctx.agent.id)
    const acceptance = await pinRule(ctx, project_id, input.acceptance)
    const bounty_id = newId('bounty')
    return ctx.transact(async (trx) => {
      await requireCovered(trx, project_id, funding, { reward: input.reward_amount })
      if (await hasUnfinished(trx, project_id, ctx.services.config.MAX_OPEN_BOUNTIES))
        throw new ServiceError('too_many_open_bounties')
      const bounty = await storeBounty(trx, { ...fields, acceptance, id: bounty_id, project_id })
      await recordActivity(trx, { type: 'bounty.created', agent_id: ctx.agent.id, project_id, bounty_id })
      return { bounty }
    })
  })
