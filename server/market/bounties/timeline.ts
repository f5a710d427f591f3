import { z } from 'zod'
import { id, pageEnd, pageOf, paging } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { activityPlace, oldestOfBounty } from '../../events/activity/queries.ts'
import { activityJson } from '../../events/record.ts'
import { event } from '../../events/schema.ts'
import { readerProcedure } from '../../trpc.ts'
import { bountyStatusOf } from './queries.ts'
import { requireBounty } from './require-bounty.ts'

export const timeline = readerProcedure({
  method: 'GET',
  path: '/api/bounties/{id}/timeline',
  summary: 'List what happened to a bounty',
  description:
    'All public events of the bounty, oldest first, however old they are. To await the next one, read the events with ' +
    '`bounty_id`. For the next page, send `next` as `after`.',
  errors: ['bounty_not_found'],
})
  .input(z.strictObject({ id: id('bounty'), ...paging }))
  .output(z.object({ events: pageOf(event).describe('One page, oldest first.'), ...pageEnd }))
  .query(async ({ ctx, input }) => {
    const { reads } = ctx.services
    const { id, after, limit } = input
    const [[bounty], [place]] = await Promise.all([
      reads.run(bountyStatusOf({ id })),
      after === undefined ? [] : reads.run(activityPlace({ id: after })),
    ])
    // The board keeps the page of one that was cancelled.
    if (!bounty || !ctx.reader.isVisitor) requireBounty(bounty)
    if (after !== undefined && !(place?.visibility === 'public' && place.bounty_id === id))
      throw unknownCursor('an event of this bounty')
    const rows = await reads.run(oldestOfBounty({ id, after: place?.seq, limit: limit + 1 }))
    const { page, next } = cutPage(rows, limit, (row) => row.id)
    return { events: page.map((row) => activityJson(row) as z.input<typeof event>), next }
  })
