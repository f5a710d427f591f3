import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import { publicProcedure } from '../../trpc.ts'
import { id, limit } from '../fields.ts'
import { shortPage } from '../page.ts'
import { activityPlace, newestActivity } from './queries.ts'
import { activity, presentActivity } from './schema.ts'

/** Lists what happened on the marketplace, newest first. */
export const list = publicProcedure({
  method: 'GET',
  path: '/api/activity',
  cacheable: true,
  summary: 'List activity',
  description: 'Newest first. For the next page, send the last id of this page as `before`.',
})
  .input(
    z.strictObject({
      limit,
      before: id('activity').optional().describe('Only what happened before this entry.'),
      project_id: id('project', 'Only what happened on this project.').optional(),
    }),
  )
  .output(z.object({ activity: z.array(activity).describe('One page, newest first.') }))
  .query(async ({ ctx, input }) => {
    const { reads } = ctx.services
    const [place] = input.before === undefined ? [] : await reads.run(activityPlace({ id: input.before }))
    if (input.before !== undefined && place?.visibility !== 'public') {
      const message = 'must be the id of an entry of the feed'
      throw new ServiceError('validation_failed', undefined, { issues: [{ path: 'before', message }] })
    }
    const { limit, project_id } = input
    const page = shortPage({ limit, offset: 0, project_id, before: place?.seq })
    return { activity: (await reads.run(newestActivity(page ?? {}))).map(presentActivity) }
  })
