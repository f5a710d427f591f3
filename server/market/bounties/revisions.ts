import { z } from 'zod'
import { id, pageEnd, paging, revision, timestamp } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { readerProcedure } from '../../trpc.ts'
import { ofRevision } from './acceptance/schema.ts'
import { bountyStatusOf, revisionsOf } from './queries.ts'
import { requireBounty } from './require-bounty.ts'
import { bountyDescription, bountyTitle, difficulty, rewardAmount, tags, wantedStanding } from './schema.ts'

/** Where a page of revisions ends, as text like every cursor. */
const place = /^[1-9]\d{0,8}$/

export const revisions = readerProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/revisions',
  summary: 'List the revisions of a bounty',
  description: 'Newest first. For the next page, send `next` as `after`.',
  errors: ['bounty_not_found'],
})
  .input(z.strictObject({ id: id('bounty'), ...paging }))
  .output(
    z.object({
      revisions: z
        .array(
          z
            .object({
              revision,
              title: bountyTitle,
              description: bountyDescription,
              difficulty,
              reward_amount: rewardAmount,
              tags,
              min_approved: wantedStanding,
              acceptance: ofRevision,
              created_at: timestamp('it was made'),
            })
            .meta({ id: 'Revision', description: 'What a bounty says, or has said.' }),
        )
        .describe('One page, newest first.'),
      ...pageEnd,
    }),
  )
  .query(async ({ ctx, input: { id, limit, after } }) => {
    const { reads } = ctx.services
    if (after !== undefined && !place.test(after)) throw unknownCursor('a revision', 'number')
    const [[bounty], rows] = await Promise.all([
      reads.run(bountyStatusOf({ id })),
      reads.run(revisionsOf({ id, before: Number(after ?? 1e9), limit: limit + 1 })),
    ])
    requireBounty(bounty)
    const { page, next } = cutPage(rows, limit, ({ revision }) => String(revision))
    return { revisions: page, next }
  })
