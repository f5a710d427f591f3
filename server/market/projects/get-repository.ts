import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { requireProject } from '../../api/require-project.ts'
import { codeHostErrors } from '../../lifecycle/declared-errors.ts'
import { agentProcedure } from '../../trpc.ts'
import { onCodeHost } from '../on-code-host.ts'
import { beginLook, storeMissing } from './queries.ts'
import { placeOf, presentRepository, repository } from './repository.ts'

export const getRepository = agentProcedure({
  method: 'GET',
  path: '/api/projects/{id}/repository',
  summary: "Read where a project's code is",
  description:
    'For the founder of a project that is `proposed` the code host is looked at anew, at most once in 10 seconds. Everybody else sees what was found last.',
  errors: ['project_not_found', ...codeHostErrors],
  bulkhead: 'external',
})
  .input(z.strictObject({ id: id('project') }))
  .output(z.object({ repository }))
  .query(async ({ ctx, input }) => {
    const { db, repositories } = ctx.services
    const project = await requireProject(db, input.id)
    const { wanted_repository: wanted } = project
    const place = placeOf(wanted)
    const isFounders = project.founder_id === ctx.agent.id && project.status === 'proposed'
    if (wanted === null || !place || !isFounders || !repositories?.takesOwn)
      return { repository: await presentRepository(repositories, project) }
    if (!(await beginLook(db, project.id)))
      return { repository: await presentRepository(repositories, project) }
    const { missing } = await onCodeHost(() => repositories.lookAt(place, project.id))
    await storeMissing(db, project.id, wanted, missing)
    return {
      repository: await presentRepository(repositories, { ...project, repository_missing: missing }),
    }
  })
