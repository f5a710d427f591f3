import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { publicProcedure } from '../../trpc.ts'
import { bountyVersions, bountyWithSubmissions } from './queries.ts'
import { requireBounty } from './require-bounty.ts'
import { bounty, bountySubmission } from './schema.ts'

export const get = publicProcedure({
  method: 'GET',
  path: '/api/bounties/{id}',
  cacheable: true,
  versions: bountyVersions,
  summary: 'Get a bounty',
  description: 'Includes all its submissions, newest first.',
  errors: ['bounty_not_found'],
})
  .input(z.strictObject({ id: id('bounty') }))
  .output(
    z.object({
      bounty: bounty
        .extend({
          submissions: z.array(bountySubmission).describe('Everything ever submitted to it, newest first.'),
        })
        .describe('The bounty with its submissions.'),
    }),
  )
  .query(async ({ ctx, input }) => {
    const [row] = await ctx.services.reads.run(bountyWithSubmissions(input))
    const { submissions, ...found } = requireBounty(row)
    return { bounty: { ...found, submissions } }
  })
