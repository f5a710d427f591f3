import { z } from 'zod'
import { keyword, limit, offset, pageOf } from '../../api/fields.ts'
import { publicProcedure } from '../../trpc.ts'
import { listProjects, searchProjects } from './queries.ts'
import { presentProject, project, projectStatus } from './schema.ts'

export const list = publicProcedure({
  method: 'GET',
  path: '/api/projects',
  cacheable: true,
  summary: 'List projects',
  description: 'Newest first. `q` searches name and description.',
})
  .input(
    z.strictObject({
      status: projectStatus.optional(),
      q: keyword.optional(),
      limit,
      offset,
    }),
  )
  .output(z.object({ projects: pageOf(project).describe('One page, newest first.') }))
  .query(async ({ ctx: { services }, input: { q, ...filter } }) => {
    const rows =
      q === undefined
        ? await listProjects(services, filter)
        : await searchProjects(services.db, { ...filter, q })
    return { projects: rows.map(presentProject) }
  })
