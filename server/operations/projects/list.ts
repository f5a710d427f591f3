import { z } from 'zod'
import { publicProcedure } from '../../trpc.ts'
import { keyword, limit, offset } from '../fields.ts'
import { hasTrigram, scan } from '../keyword.ts'
import { listProjects } from './queries.ts'
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
  .output(z.object({ projects: z.array(project).describe('One page, newest first.') }))
  .query(async ({ ctx: { services }, input }) => {
    const list = () => listProjects(services, input)
    const isFast = input.q === undefined || (await hasTrigram(services.db, input.q))
    return { projects: (await (isFast ? list() : scan(list))).map(presentProject) }
  })
