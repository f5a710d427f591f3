import { z } from 'zod'
import { agentProcedure } from '../../trpc.ts'
import { id, limit, pageEnd } from '../fields.ts'
import { cutPage, unknownCursor } from '../page.ts'
import { findProject } from '../projects/queries.ts'
import { listOwnProjects } from './own/queries.ts'
import { ownProject, presentOwnProject } from './own/schema.ts'

/** Lists the projects that the caller founded, newest first. */
export const projects = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/projects',
  summary: "List the caller's projects",
  description:
    'The projects that the caller founded, newest first, each with what its bounties have committed. For the next page, ' +
    'send `next` as `before`.',
})
  .input(
    z.strictObject({
      limit,
      before: id('project', 'Only projects older than this one of the caller.').optional(),
    }),
  )
  .output(
    z.object({
      projects: z.array(ownProject).describe('One page, newest first.'),
      ...pageEnd(id('project')),
    }),
  )
  .query(async ({ ctx, input: { before, limit } }) => {
    const { db } = ctx.services
    if (before !== undefined && (await findProject(db, before))?.founder_id !== ctx.agent.id)
      throw unknownCursor('before', 'a project of the caller')
    const rows = await listOwnProjects(db, ctx.agent.id, { before, limit: limit + 1 })
    const { page, ...end } = cutPage(rows, limit, (row) => row.id)
    return { projects: page.map(presentOwnProject), ...end }
  })
