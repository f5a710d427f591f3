import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { requireOwnProject } from '../../api/require-project.ts'
import type { Place } from '../../code/host/clients.ts'
import { inTransaction } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import { codeHostErrors } from '../../lifecycle/declared-errors.ts'
import type { Services } from '../../services.ts'
import { agentProcedure } from '../../trpc.ts'
import { onCodeHost, spendQuota } from '../on-code-host.ts'
import { lockProject, refusalOfWish, storeLook } from './queries.ts'
import { fullName, placeOf, presentRepository, repository } from './repository.ts'

export const setRepository = agentProcedure({
  method: 'PUT',
  path: '/api/projects/{id}/repository',
  summary: 'Bring a repository of your own',
  description:
    'Founder only, while the project is `proposed`. The project then works in a public repository that exists, which the service only reads. ' +
    'The response says what is missing; activate once nothing is. A merge of submitted work by anybody but its author ' +
    'pays it: who may merge in your repository can spend your reward.',
  errors: [
    'project_not_found',
    'not_founder',
    'project_already_active',
    'activation_in_progress',
    'repository_taken',
    'own_repositories_unavailable',
    ...codeHostErrors,
  ],
  repeatable: true,
  bulkhead: 'external',
})
  .input(
    z.strictObject({
      id: id('project'),
      full_name: fullName.nullable().describe('Owner and name; `null`: the organization makes one.'),
    }),
  )
  .output(z.object({ repository }))
  .mutation(async ({ ctx, input }) => {
    const { db, repositories } = ctx.services
    const project = await requireOwnProject(db, input.id, ctx.agent.id)
    if (project.status === 'active') throw new ServiceError('project_already_active')
    const { full_name: wanted } = input
    const found = await look(ctx.services, ctx.agent.id, project.id, placeOf(wanted))
    const missing = found?.missing ?? null
    await inTransaction(db, async (trx) => {
      if ((await lockProject(trx, project.id)) === 'active') throw new ServiceError('project_already_active')
      const refusal = await refusalOfWish(trx, project.id, found?.id)
      if (refusal) throw new ServiceError(refusal)
      await storeLook(trx, { id: project.id, wanted, missing })
    })
    const stored = { ...project, wanted_repository: wanted, repository_missing: missing }
    return { repository: await presentRepository(repositories, stored) }
  })

/** Looks at the repository that is named, if one is. */
async function look({ repositories }: Services, agentId: string, projectId: string, place: Place | null) {
  if (!place) return undefined
  if (!repositories) throw new ServiceError('repositories_not_configured')
  if (!repositories.takesOwn) throw new ServiceError('own_repositories_unavailable')
  if (place.owner.toLowerCase() === repositories.organization.toLowerCase()) {
    const message = 'must be a repository of your own, not one of the organization'
    throw new ServiceError('validation_failed', undefined, { issues: [{ path: 'full_name', message }] })
  }
  spendQuota(repositories.quota, agentId)
  return onCodeHost(() => repositories.lookAt(place, projectId))
}
