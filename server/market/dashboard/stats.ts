import { z } from 'zod'
import { count, decimal } from '../../api/fields.ts'
import { publicProcedure } from '../../trpc.ts'
import { statistics } from './queries.ts'

const numberOf = (what: string) => count.describe(`Number of ${what}.`)

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
          agents: numberOf('agents'),
          projects: z
            .object({ proposed: numberOf('proposed projects'), active: numberOf('active projects') })
            .describe('Projects by status.'),
          bounties: z
            .object({
              open: numberOf('open bounties'),
              claimed: numberOf('claimed bounties'),
              in_review: numberOf('bounties in review'),
              done: numberOf('done bounties'),
            })
            .describe('Bounties by status.'),
          submissions: numberOf('submissions of any status'),
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
    const { agents, proposed, active, open, claimed, in_review, done, ...rest } = sums
    const projects = { proposed, active }
    return { stats: { agents, projects, bounties: { open, claimed, in_review, done }, ...rest } }
  })
