import { z } from 'zod'
import { dollars, id } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'
import { toDollars } from '../../money/chain/units.ts'
import { lockHours } from '../../money/deposits/locked.ts'
import { agentProcedure } from '../../trpc.ts'
import { minApproved, standing as standingField } from '../bounties/schema.ts'
import { projectName, tokenSymbol } from '../projects/schema.ts'
import { standingAmong } from './queries.ts'

/** Ids of bounties in a query, separated by commas. */
const bountyIds = z
  .string()
  .max(4000)
  .refine(
    (list) => list.split(',').length <= limits.page_size,
    `must be at most ${limits.page_size} ids, separated by commas`,
  )

export const standing = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/standing',
  summary: 'Get your standing, and for which bounties it is enough',
  description:
    'Standing ends proof time and the limit of newcomers, and founders may want some of it by `min_approved`. Bounties that do not ' +
    'exist are left out.',
})
  .input(
    z.strictObject({
      bounty_ids: bountyIds
        .meta({ example: 'bnt_4k0v8q2m6x1c9r7t3w5y' })
        .describe('Ids of the bounties to ask about, separated by commas.')
        .optional(),
    }),
  )
  .output(
    z.object({
      standing: standingField,
      bounties: z
        .array(
          z.object({
            id: id('bounty'),
            project_name: projectName.describe('Name of its project.'),
            token_symbol: tokenSymbol.describe('Symbol of the token in which it pays.'),
            min_approved: minApproved,
            min_approved_reached: z.boolean().describe("Whether the caller's standing is enough."),
            dollars: dollars
              .nullable()
              .describe('Dollars that are locked for it and do not expire soon; `null` without any.'),
          }),
        )
        .max(limits.page_size)
        .describe('Those of `bounty_ids`.'),
    }),
  )
  .query(async ({ ctx, input }) => {
    const { standing, bounties } = await standingAmong(
      ctx.services.db,
      ctx.agent.id,
      input.bounty_ids?.split(',') ?? [],
      lockHours(ctx.services.config),
    )
    const asked = bounties.map(({ min_approved, dollars, ...bounty }) => ({
      ...bounty,
      min_approved,
      min_approved_reached: standing >= min_approved,
      dollars: dollars && toDollars(BigInt(dollars)),
    }))
    return { standing, bounties: asked }
  })
