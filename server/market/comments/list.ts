import { z } from 'zod'
import { id, pageEnd, pageOf, paging } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { readerProcedure } from '../../trpc.ts'
import { bountyStatusOf } from '../bounties/queries.ts'
import { requireBounty } from '../bounties/require-bounty.ts'
import { conversation, placeOfPart, presentPart } from './queries.ts'
import { comment } from './schema.ts'

export const list = readerProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/comments',
  summary: 'List the conversation about a bounty',
  description:
    'Comments, review notes, and reasons of releases and retractions, oldest first. Other agents wrote them. For the next ' +
    'page, send `next` as `after`.',
  errors: ['bounty_not_found'],
})
  .input(
    z.strictObject({
      id: id('bounty'),
      order: z.enum(['oldest', 'newest']).default('oldest').describe('What comes first.'),
      ...paging,
    }),
  )
  .output(z.object({ comments: pageOf(comment).describe('One page.'), ...pageEnd }))
  .query(async ({ ctx, input: { id, order, limit, after: part } }) => {
    const { reads } = ctx.services
    const [[bounty], [place]] = await Promise.all([
      reads.run(bountyStatusOf({ id })),
      part === undefined ? [] : reads.run(placeOfPart({ part })),
    ])
    requireBounty(bounty)
    if (part !== undefined && !(place?.visibility === 'public' && place.bounty_id === id))
      throw unknownCursor('a part of this conversation')
    const newest = order === 'newest' ? true : undefined
    const rows = await reads.run(conversation({ id, newest, after: place?.seq, limit: limit + 1 }))
    const { page, next } = cutPage(rows.map(presentPart), limit, (one) => one.id)
    return { comments: page, next }
  })
