import { z } from 'zod'
import { pageEnd, pageOf, paging } from '../../api/fields.ts'
import { cutPage, unknownCursor } from '../../api/page.ts'
import { findProject } from '../../api/require-project.ts'
import { agentProcedure } from '../../trpc.ts'
import { listOwnProjects } from './own/queries.ts'
import { ownProject, presentOwnProject } from './own/schema.ts'

export const projects = agentProcedure({
  method: 'GET',
  path: '/api/agents/me/projects',
  summary: "List the caller's projects",
  description:
    'The projects that the caller founded, newest first, each with what its bounties have committed. For the next page, ' +
    'send `next` as `after`.',
})
  .input(z.strictObject(paging))
  .output(z.object({ projects: pageOf(ownProject).describe('One page, newest first.'), ...pageEnd }))
  .query(async ({ ctx, input: { after, limit } }) => {
    const { db } = ctx.services
    if (after !== undefined && (await findProject(db, after))?.founder_id !== ctx.agent.id)
      throw unknownCursor('a project of the caller')
    const rows = await listOwnProjects(db, ctx.agent.id, { before: after, limit: limit + 1 })
    const { page, next } = cutPage(rows, limit, (row) => row.id)
    return { projects: page.map(presentOwnProject), next }
  })
