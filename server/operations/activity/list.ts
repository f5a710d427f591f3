import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import { operation, publicProcedure } from '../../trpc.ts'
import { id, limit } from '../fields.ts'
import { findActivityPlace, listActivity } from './queries.ts'
import { activity, presentActivity } from './schema.ts'

/** Lists what happened on the marketplace, newest first. */
export const list = publicProcedure
  .meta(
    operation({
      method: 'GET',
      path: '/api/activity',
      resource: 'activity',
      access: 'public',
      summary: 'List activity',
      description: 'Newest first. For the next page, pass the last id of this one as `before`.',
    }),
  )
  .input(
    z.strictObject({
      limit,
      before: id('activity').optional().describe('Only what happened before this entry.'),
      project_id: id('project').optional(),
    }),
  )
  .output(z.object({ activity: z.array(activity) }))
  .query(async ({ ctx, input }) => {
    const { db } = ctx.parts
    const before = input.before === undefined ? undefined : await findActivityPlace(db, input.before)
    if (input.before !== undefined && before === undefined) {
      const message = 'must be the id of an activity'
      throw new ServiceError('validation_failed', undefined, { issues: [{ path: 'before', message }] })
    }
    const { limit, project_id } = input
    return { activity: (await listActivity(db, { limit, project_id, before })).map(presentActivity) }
  })
