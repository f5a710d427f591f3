import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { readerProcedure } from '../../trpc.ts'
import { claimOfBounty } from './queries.ts'
import { requireBounty } from './require-bounty.ts'
import { claim, presentClaim } from './schema.ts'

export const getClaim = readerProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/claim',
  summary: 'Get the claim of a bounty',
  description:
    'Who has claimed the bounty, until when, and how often the claim can still be extended. Returns 404 ' +
    '`claim_not_found` unless the bounty is `claimed`.',
  errors: ['bounty_not_found', 'claim_not_found'],
})
  .input(z.strictObject({ id: id('bounty') }))
  .output(z.object({ claim }))
  .query(async ({ ctx, input }) => {
    const [found] = await ctx.services.reads.run(claimOfBounty(input))
    return { claim: presentClaim(requireBounty(found)) }
  })
