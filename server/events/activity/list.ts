import { z } from 'zod'
import { filterId, pageEnd, pageOf, paging } from '../../api/fields.ts'
import { limits } from '../../api/limits.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { ServiceError } from '../../errors.ts'
import { publicProcedure } from '../../trpc.ts'
import { activityPlace, newestActivity } from './queries.ts'
import { activity, presentActivity } from './schema.ts'

export const list = publicProcedure({
  method: 'GET',
  path: '/api/activity',
  cacheable: true,
  summary: 'List activity',
  description:
    'Newest first. For the next page, send `next` as `before`. `after` means the same, as in other lists.',
})
  .input(
    z.strictObject({
      ...paging,
      before: z
        .string()
        .max(200)
        .describe('Only what is older than the entry with this id: `next` of the page before.')
        .optional(),
      project_id: filterId('project', 'Only what happened on this project.'),
    }),
  )
  .output(z.object({ activity: pageOf(activity).describe('One page, newest first.'), ...pageEnd }))
  .query(async ({ ctx, input }) => {
    const { reads } = ctx.services
    const { limit, project_id, before, after } = input
    if (before !== undefined && after !== undefined)
      throw new ServiceError('validation_failed', undefined, {
        issues: [{ path: 'before', message: 'means the same as `after`: send one of them' }],
      })
    const from = before ?? after
    const [place] = from === undefined ? [] : await reads.run(activityPlace({ id: from }))
    if (from !== undefined && place?.visibility !== 'public')
      throw unknownCursor('an entry of the feed', 'id', before === undefined ? 'after' : 'before')
    const filter = {
      project_id,
      before: place?.seq,
      ...(limit !== limits.default_page_size && { limit: limit + 1 }),
    }
    const { page, next } = cutPage(await reads.run(newestActivity(filter)), limit, ({ id }) => id)
    return { activity: page.map(presentActivity), next }
  })
