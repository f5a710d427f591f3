import { z } from 'zod'
import { claimHours } from '../../lifecycle/deadlines.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move } from '../../lifecycle/move.ts'
import { agentProcedure } from '../../trpc.ts'
import { id } from '../fields.ts'
import { claim, presentClaim } from './schema.ts'

/** Extends the caller's claim by half the time that a claim of this difficulty lasts. */
export const extend = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/extend',
  summary: 'Extend a claim',
  description:
    'Claimant only, at most twice. Adds half the time that a claim of this difficulty lasts to the end of the claim. ' +
    'A claim that has lapsed cannot be extended.',
  errors: ['bounty_not_found', 'not_claimant', 'bounty_not_claimed', 'claim_lapsed', 'no_extension_left'],
})
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ claim }))
  .mutation(({ ctx, input: { id } }) =>
    ctx.transact(async (trx) => {
      const asked = { id, caller: ctx.agent.id, hours: claimHours(ctx.services.config) }
      return { claim: presentClaim(await move(trx, edges.extend, asked)) }
    }),
  )
