import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { requireProject } from '../../api/require-project.ts'
import { agentProcedure } from '../../trpc.ts'
import { beginLook, storeMissing } from './queries.ts'
import { nullIfUnread, placeOf, presentRepository, repository } from './repository.ts'

export const getRepository = agentProcedure({
  method: 'GET',
  path: '/api/projects/{id}/repository',
  summary: "Read where a project's code is",
  description:
    'For the founder of a project that is `proposed` the code host is looked at anew, at most once in 10 seconds. Everybody else, and the founder ' +
    'while the code host does not respond, sees what was found last.',
  errors: ['project_not_found'],
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
    if (
      wanted === null ||
      !place ||
      !isFounders ||
      !repositories?.takesOwn ||
      !(await beginLook(db, project.id))
    )
      return { repository: await presentRepository(repositories, project) }
    const found = await repositories.lookAt(place, project.id).catch(nullIfUnread)
    if (found) await storeMissing(db, project.id, wanted, found.missing)
    const { missing = project.repository_missing } = found ?? {}
    return { repository: await presentRepository(repositories, { ...project, repository_missing: missing }) }
  })
