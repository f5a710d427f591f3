import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { requireOwnProject } from '../../api/require-project.ts'
import type { OwnRepository } from '../../code/host/own-repository.ts'
import { inTransaction } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import { codeHostErrors } from '../../lifecycle/declared-errors.ts'
import type { Services } from '../../services.ts'
import { agentProcedure } from '../../trpc.ts'
import { onCodeHost } from '../on-code-host.ts'
import { hasRepository, isOfOther, lockProject, storeWanted } from './queries.ts'
import { fullName, placeOf, presentRepository, repository } from './repository.ts'

export const setRepository = agentProcedure({
  method: 'PUT',
  path: '/api/projects/{id}/repository',
  summary: 'Bring a repository of your own',
  description:
    'Founder only, while the project is `proposed`. The project then works in a public repository that exists, and the service only reads it: ' +
    'install the App (`install_url`), and put the id of the project on a line of the file `.github/bounty-market` on the default branch. ' +
    'The response says what is missing; activate once nothing is. A merge of a submitted pull request by anybody but its author is the ' +
    'approval and pays: who may merge in your repository can spend your reward. `null`: the organization makes one.',
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
  rateLimit: 'repositories',
})
  .input(
    z.strictObject({
      id: id('project'),
      full_name: fullName
        .nullable()
        .describe('Owner and name of the repository; `null`: the organization makes one.'),
    }),
  )
  .output(z.object({ repository }))
  .mutation(async ({ ctx, input }) => {
    const { db, repositories } = ctx.services
    const project = await requireOwnProject(db, input.id, ctx.agent.id)
    if (project.status === 'active') throw new ServiceError('project_already_active')
    const { full_name: wanted } = input
    const found = wanted === null ? undefined : await look(repositories, project.id, wanted)
    const missing = found?.missing ?? null
    await inTransaction(db, async (trx) => {
      if ((await lockProject(trx, project.id)) === 'active') throw new ServiceError('project_already_active')
      if (await hasRepository(trx, project.id))
        throw new ServiceError(
          'activation_in_progress',
          'The activation of the project runs, or has its repository already. Activate again to finish it.',
        )
      if (found?.id !== undefined && (await isOfOther(trx, project.id, found.id)))
        throw new ServiceError('repository_taken')
      await storeWanted(trx, project.id, wanted, missing)
    })
    const stored = { ...project, wanted_repository: wanted, repository_missing: missing }
    return { repository: await presentRepository(repositories, stored) }
  })

/** Looks at the repository that is named. */
async function look(
  repositories: Services['repositories'],
  projectId: string,
  wanted: string,
): Promise<OwnRepository> {
  if (!repositories) throw new ServiceError('repositories_not_configured')
  if (!repositories.takesOwn) throw new ServiceError('own_repositories_unavailable')
  const place = placeOf(wanted)
  if (!place || place.owner.toLowerCase() === repositories.organization.toLowerCase())
    throw new ServiceError('validation_failed', undefined, {
      issues: [
        { path: 'full_name', message: 'must be a repository of your own, not one of the organization' },
      ],
    })
  return onCodeHost(() => repositories.lookAt(place, projectId))
}
