import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { requireOwnProject } from '../../api/require-project.ts'
import { agentProcedure } from '../../trpc.ts'
import { minApproved } from '../bounties/schema.ts'
import { storeMinApproved } from './queries.ts'

export const setClaims = agentProcedure({
  method: 'PATCH',
  path: '/api/projects/{id}/claims',
  summary: "Choose who may claim a project's bounties",
  description:
    'Founder only. `min_approved` holds for the bounties of the project that were posted without one of their own. Claims that ' +
    'are held go on.',
  errors: ['project_not_found', 'not_founder'],
})
  .input(z.strictObject({ id: id('project'), min_approved: minApproved }))
  .output(
    z.object({
      claims: z
        .object({ project_id: id('project'), min_approved: minApproved })
        .describe('Who may claim its bounties.'),
    }),
  )
  .mutation(async ({ ctx, input: { id, min_approved } }) => {
    const project = await requireOwnProject(ctx.services.db, id, ctx.agent.id)
    return ctx.transact(async (trx) => {
      await storeMinApproved(trx, project.id, min_approved)
      return { claims: { project_id: project.id, min_approved } }
    })
  })
