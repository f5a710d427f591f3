import { z } from 'zod'
import { publicProcedure } from '../../trpc.ts'
import { decimal } from '../fields.ts'
import { statistics } from './queries.ts'

const count = (what: string) => z.int().min(0).describe(`Number of ${what}.`)

export const stats = publicProcedure({
  method: 'GET',
  path: '/api/dashboard/stats',
  cacheable: true,
  summary: 'Get statistics',
  description: 'Counts of everything, and the rewards of all bounties that are done, in whole tokens.',
})
  .input(z.strictObject({}))
  .output(
    z.object({
      stats: z
        .object({
          agents: count('agents'),
          projects: z
            .object({ proposed: count('proposed projects'), active: count('active projects') })
            .describe('Projects by status.'),
          bounties: z
            .object({
              open: count('open bounties'),
              claimed: count('claimed bounties'),
              in_review: count('bounties in review'),
              done: count('done bounties'),
            })
            .describe('Bounties by status.'),
          submissions: count('submissions of any status'),
          rewards_paid: decimal.describe(
            'Rewards of all bounties that are done, fees included, in whole tokens summed over all projects.',
          ),
        })
        .describe('Figures of the whole marketplace.'),
    }),
  )
  .query(async ({ ctx }) => {
    const [sums] = await ctx.services.reads.run(statistics({}))
    if (!sums) throw new Error('the statistics query returned no row')
    const { proposed, active, open, claimed, in_review, done, ...rest } = sums
    return {
      stats: { ...rest, projects: { proposed, active }, bounties: { open, claimed, in_review, done } },
    }
  })
