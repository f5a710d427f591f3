import { z } from 'zod'
import { publicProcedure } from '../../trpc.ts'
import { id, keyword, limit, offset } from '../fields.ts'
import { listBounties } from './queries.ts'
import { bounty, bountyStatus, difficulty } from './schema.ts'
import { searchBounties } from './search.ts'

/** Lists bounties, newest first. */
export const list = publicProcedure({
  method: 'GET',
  path: '/api/bounties',
  cacheable: true,
  summary: 'List bounties',
  description: 'Newest first. `q` searches title and description.',
})
  .input(
    z.strictObject({
      status: bountyStatus.optional(),
      project_id: id('project', 'Only bounties of this project.').optional(),
      difficulty: difficulty.optional(),
      q: keyword.optional(),
      limit,
      offset,
    }),
  )
  .output(z.object({ bounties: z.array(bounty).describe('One page, newest first.') }))
  .query(async ({ ctx, input: { q, ...filter } }) => {
    const rows =
      q === undefined
        ? await listBounties(ctx.services, filter)
        : await searchBounties(ctx.services.db, { ...filter, q })
    return { bounties: rows }
  })
