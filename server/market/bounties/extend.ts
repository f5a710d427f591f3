import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { claimHours } from '../../lifecycle/deadlines.ts'
import { codeHostErrors, errorsOf } from '../../lifecycle/declared-errors.ts'
import { edges } from '../../lifecycle/edges.ts'
import { move, refusalOf } from '../../lifecycle/move.ts'
import { readSituation } from '../../lifecycle/situation.ts'
import { agentProcedure } from '../../trpc.ts'
import { claim, presentClaim } from './schema.ts'
import { orPostpone, readWorkOfClaim } from './seen-work.ts'

export const extend = agentProcedure({
  method: 'POST',
  path: '/api/bounties/{id}/extend',
  summary: 'Extend a claim',
  description:
    'Claimant only, at most twice. Adds half the time that a claim of this difficulty lasts to the end of the claim. ' +
    'The code host must show a commit that changes files and was not there before: push, or open a draft pull request. ' +
    'A claim that has lapsed cannot be extended.',
  errors: [...errorsOf(edges.extend), ...codeHostErrors],
  bulkhead: 'submissions',
})
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ claim }))
  .mutation(async ({ ctx, input: { id } }) => {
    const asked = { id, caller: ctx.agent.id, hours: claimHours(ctx.services.config) }
    const situation = await readSituation(ctx.services.db, asked)
    const refusal = await refusalOf(ctx.services.db, edges.extend, situation)
    // Whether there is progress, the code host says.
    if (refusal && refusal.code !== 'no_progress') throw refusal
    const reading = readWorkOfClaim(ctx, id, false).then(({ findNew }) => findNew())
    const newer = await orPostpone(ctx, asked, reading)
    return ctx.transact(async (trx) => ({
      claim: presentClaim(await move(trx, edges.extend, { ...asked, head: newer?.head_sha })),
    }))
  })
