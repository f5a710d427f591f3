import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { requireProject } from '../../api/require-project.ts'
import type { Place } from '../../code/host/clients.ts'
import type { Repositories } from '../../code/host/repositories.ts'
import { lookSoon } from '../../code/own-repositories/store.ts'
import type { Database } from '../../db/client.ts'
import { agentProcedure } from '../../trpc.ts'
import { beginLook, refusalOfWish, storeLook } from './queries.ts'
import { nullIfUnread, placeOf, presentRepository, repository } from './repository.ts'

export const getRepository = agentProcedure({
  method: 'GET',
  path: '/api/projects/{id}/repository',
  summary: "Read where a project's code is",
  description:
    'For the founder of a `proposed` project the code host is looked at anew, at most once in 10 seconds; else this is what was found last.',
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
    const isFounders = project.founder_id === ctx.agent.id
    // One that is lost is looked at by the loop.
    if (isFounders && project.repository_lost_at && project.repository_id)
      await lookSoon(db, [project.repository_id])
    if (place && isFounders && repositories?.takesOwn && (await beginLook(db, project.id))) {
      const missing = await look(db, repositories, { place, projectId: project.id })
      if (missing) await storeLook(db, { id: project.id, wanted, missing }, true)
      project.repository_missing = missing ?? project.repository_missing
    }
    return { repository: await presentRepository(repositories, project) }
  })

/** What is missing there; null where the code host does not respond. */
async function look(
  db: Database,
  repositories: Repositories,
  { place, projectId }: { place: Place; projectId: string },
): Promise<string[] | null> {
  const found = await repositories.lookAt(place, projectId).catch(nullIfUnread)
  if (!found) return null
  const isTaken = (await refusalOfWish(db, projectId, found.id)) === 'repository_taken'
  return [...found.missing, ...(isTaken ? ['taken'] : [])]
}
