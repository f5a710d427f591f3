import { z } from 'zod'
import { claimHours } from '../../db/deadlines.ts'
import { runOn } from '../../db/prepared.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { claimRefusal } from './claim-refusal.ts'
import { extendClaim } from './held-claim.ts'
import { claim, presentClaim } from './schema.ts'

/** Extends the caller's claim by half the time that a claim of this difficulty lasts. */
export const extend = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/bounties/{id}/extend',
      resource: 'bounties',
      access: 'agent',
      summary: 'Extend a claim',
      description:
        'Claimant only, at most twice. Adds half the time that a claim of this difficulty lasts to the end of the claim. ' +
        'A claim that has lapsed cannot be extended.',
      errors: ['bounty_not_found', 'not_claimant', 'bounty_not_claimed', 'claim_lapsed', 'no_extension_left'],
      atomicIdempotency: true,
    }),
  )
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ claim }))
  .mutation(({ ctx, input: { id } }) => {
    const agent_id = ctx.agent.id
    const hours = JSON.stringify(claimHours(ctx.services.config))
    return ctx.transact(
      async (db) => {
        const own = { id, agent_id, activity_id: newId('activity'), hours }
        const [bounty] = await runOn(db, extendClaim(own))
        if (!bounty) throw new ServiceError('bounty_not_found')
        const claim = presentClaim({ ...bounty, id })
        if (claim) return { claim }
        if (bounty.status !== 'claimed' || bounty.claimed_by !== agent_id)
          throw await claimRefusal(db, agent_id, { ...bounty, id })
        throw new ServiceError(bounty.has_lapsed ? 'claim_lapsed' : 'no_extension_left')
      },
      { oneStatement: true },
    )
  })
