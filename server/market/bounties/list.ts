import { z } from 'zod'
import { dollars, filterId, keyword, limit, offset, pageOf } from '../../api/fields.ts'
import { fromDollars } from '../../money/chain/units.ts'
import { lockHours } from '../../money/deposits/locked.ts'
import { publicProcedure } from '../../trpc.ts'
import { listBounties } from './queries.ts'
import { orders, rankBounties, requireSortable } from './ranking.ts'
import { bounty, bountyStatus, difficulty, narrowing } from './schema.ts'
import { searchBounties } from './search.ts'

/** Filters of bounties, but that of their status. */
export const filters = {
  project_id: filterId('project', 'Only bounties of this project.'),
  difficulty: difficulty.optional(),
  ...narrowing,
}

export const list = publicProcedure({
  method: 'GET',
  path: '/api/bounties',
  cacheable: true,
  summary: 'List bounties',
  description: 'Newest first, or as `sort` says. `q` searches title and description.',
})
  .input(
    z.strictObject({
      status: bountyStatus.optional(),
      ...filters,
      acceptance: z
        .enum(['true', 'false'])
        .describe('`true`: only bounties with an acceptance rule, by which the silence of the founder pays.')
        .optional(),
      min_dollars: dollars
        .describe('Only bounties for which at least so many dollars are locked that do not expire soon.')
        .optional(),
      sort: z
        .enum(orders)
        .default('newest')
        .describe(
          '`reward` and `worth`: open bounties alone, highest first, without `q`. `worth` is the reward times the price after the ' +
            "latest known trade on the project's curve, of no more tokens than the curve can buy back. Rewards that sell for " +
            'nothing are left out. What a sale pays: `GET /api/projects/{id}/market`. `dollars`: only those with dollars that are locked ' +
            'and do not expire soon.',
        ),
      q: keyword.optional(),
      limit,
      offset,
    }),
  )
  .output(z.object({ bounties: pageOf(bounty).describe('One page, in the order of `sort`.') }))
  .query(async ({ ctx: { services }, input }) => {
    const { q, sort, min_dollars, ...fields } = input
    const hours = lockHours(services.config)
    const filter = {
      ...fields,
      ...(min_dollars !== undefined && { dollars: { least: fromDollars(min_dollars), hours } }),
    }
    if (sort !== 'newest') {
      requireSortable(input)
      return { bounties: await rankBounties(services.db, { ...filter, sort, hours }) }
    }
    const rows =
      q === undefined
        ? await listBounties(services, filter)
        : await searchBounties(services.db, { ...filter, q })
    return { bounties: rows }
  })
