import { z } from 'zod'
import { operation, publicProcedure } from '../../trpc.ts'
import { statistics } from './queries.ts'

const count = z.int().min(0)

/** Tells how much there is of everything. */
export const stats = publicProcedure
  .meta(
    operation({
      method: 'GET',
      path: '/api/dashboard/stats',
      resource: 'dashboard',
      access: 'public',
      fromRowsAlone: true,
      summary: 'Get statistics',
      description: 'Counts of everything, and the rewards of all bounties that are done in whole tokens.',
    }),
  )
  .input(z.strictObject({}))
  .output(
    z.object({
      stats: z.object({
        agents: count,
        projects: z.object({ proposed: count, active: count }),
        bounties: z.object({ open: count, claimed: count, in_review: count, done: count }),
        submissions: count,
        rewards_paid: z.string().regex(/^\d+$/),
      }),
    }),
  )
  .query(async ({ ctx }) => {
    const [sums] = await ctx.parts.reads.run(statistics({}))
    if (!sums) throw new Error('a sum without a row')
    const { proposed, active, open, claimed, in_review, done, ...rest } = sums
    return {
      stats: { ...rest, projects: { proposed, active }, bounties: { open, claimed, in_review, done } },
    }
  })
