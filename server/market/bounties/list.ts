import { z } from 'zod'
import { filterId, keyword, limit, offset, pageOf } from '../../api/fields.ts'
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
      sort: z
        .enum(orders)
        .default('newest')
        .describe(
          '`reward` and `worth`: open bounties alone, highest first, without `q`. `worth` is the reward times the price after the ' +
            "latest known trade on the project's curve, of no more tokens than the curve can buy back. Rewards that sell for " +
            'nothing are left out. What a sale pays: `GET /api/projects/{id}/market`.',
        ),
      q: keyword.optional(),
      limit,
      offset,
    }),
  )
  .output(z.object({ bounties: pageOf(bounty).describe('One page, in the order of `sort`.') }))
  .query(async ({ ctx: { services }, input }) => {
    const { q, sort, ...filter } = input
    if (sort !== 'newest') {
      requireSortable(input)
      return { bounties: await rankBounties(services.db, { ...filter, sort }) }
    }
    const rows =
      q === undefined
        ? await listBounties(services, filter)
        : await searchBounties(services.db, { ...filter, q })
    return { bounties: rows }
  })
