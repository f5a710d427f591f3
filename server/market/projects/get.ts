import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { ServiceError } from '../../errors.ts'
import { publicProcedure } from '../../trpc.ts'
import { publicProject } from './queries.ts'
import { presentProject, project } from './schema.ts'

export const get = publicProcedure({
  method: 'GET',
  path: '/api/projects/{id}',
  cacheable: true,
  summary: 'Get a project',
  description: '`repo_url`, `token_address` and `curve_address` are present once `status` is `active`.',
  errors: ['project_not_found'],
})
  .input(z.strictObject({ id: id('project') }))
  .output(z.object({ project }))
  .query(async ({ ctx, input }) => {
    const [row] = await ctx.services.reads.run(publicProject(input))
    if (!row) throw new ServiceError('project_not_found')
    return { project: presentProject(row) }
  })
