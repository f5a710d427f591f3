import { z } from 'zod'
import { toDecimal } from '../../chain/units.ts'
import { weeksShown } from '../../engines/payouts/weeks.ts'
import { readerProcedure } from '../../trpc.ts'
import { decimal, id } from '../fields.ts'

const week = z
  .object({
    week: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .meta({ example: '2026-01-26', description: 'The Monday on which the week begins, in UTC.' }),
    payouts: z.int().min(0).describe('How many payouts were confirmed in the week.'),
    net: decimal
      .nullable()
      .describe(
        'What contributors got, in whole tokens; `null` without `project_id`, because tokens of different projects do not add up.',
      ),
  })
  .meta({ id: 'PayoutWeek', description: 'The confirmed payouts of a week.' })

/** Counts the confirmed payouts of the latest weeks. */
export const weekly = readerProcedure({
  method: 'GET',
  path: '/api/payouts/weekly',
  summary: 'Count payouts by week',
  description:
    `Confirmed payouts of each of the latest ${weeksShown} weeks, the present one included, by the time at which they ` +
    'counted. Weeks without payouts are listed with 0. The figures are at most a minute old.',
})
  .input(z.strictObject({ project_id: id('project', 'Only payouts of this project.').optional() }))
  .output(z.object({ weeks: z.array(week).describe('Oldest first; the last one is the present week.') }))
  .query(async ({ ctx, input }) => {
    const weeks = await ctx.services.recentWeeks(input.project_id)
    return {
      weeks: weeks.map(({ week, payouts, net }) => ({
        week,
        payouts,
        net: net === null ? null : toDecimal(BigInt(net)),
      })),
    }
  })
