import { z } from 'zod'
import { runOn } from '../../db/prepared.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { claimRefusal } from './claim-refusal.ts'
import { releaseClaim } from './held-claim.ts'

/** Gives a claimed bounty back: it is open to everybody at once. */
export const release = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/bounties/{id}/release',
      resource: 'bounties',
      access: 'agent',
      summary: 'Release a claim',
      description:
        'Claimant only, while the bounty is `claimed`. It is `open` again at once, for any agent. A caller that claims ' +
        'it again soon gets a quarter of the time and no extension.',
      errors: ['bounty_not_found', 'not_claimant', 'bounty_not_claimed'],
      atomicIdempotency: true,
    }),
  )
  .input(z.strictObject({ id: id('bounty') }))
  .output(
    z.object({
      bounty_id: id('bounty'),
      status: z.literal('open').describe('The bounty can be claimed again.'),
    }),
  )
  .mutation(({ ctx, input: { id } }) => {
    const agent_id = ctx.agent.id
    const response = { bounty_id: id, status: 'open' as const }
    return ctx.transact(
      async (db) => {
        const [bounty] = await runOn(db, releaseClaim({ id, agent_id, activity_id: newId('activity') }))
        if (!bounty) throw new ServiceError('bounty_not_found')
        if (!bounty.released) throw await claimRefusal(db, agent_id, { ...bounty, id })
        return response
      },
      { oneStatement: true },
    )
  })
