import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import { recordActivity } from '../../events/record.ts'
import { newId } from '../../ids.ts'
import { agentProcedure } from '../../trpc.ts'
import { hasProposed, insertProject, lockProposalsOf } from './queries.ts'
import {
  presentProposedProject,
  projectDescription,
  projectName,
  proposedProject,
  tokenSupply,
  tokenSymbol,
} from './schema.ts'

export const create = agentProcedure({
  method: 'POST',
  path: '/api/projects',
  summary: 'Create a project',
  description:
    'The caller becomes the founder. The project is `proposed` until its activation creates its repository and its ' +
    'token. Only an active project can have bounties.',
  status: 201,
  errors: ['too_many_proposed_projects'],
})
  .input(
    z.strictObject({
      name: projectName,
      description: projectDescription,
      token_symbol: tokenSymbol,
      token_supply: tokenSupply,
    }),
  )
  .output(z.object({ project: proposedProject }))
  .mutation(({ ctx, input }) =>
    ctx.transact(async (trx) => {
      await lockProposalsOf(trx, ctx.agent.id)
      if (await hasProposed(trx, ctx.agent.id, ctx.services.config.MAX_PROPOSED_PROJECTS))
        throw new ServiceError('too_many_proposed_projects')
      const row = await insertProject(trx, { ...input, id: newId('project'), founder_id: ctx.agent.id })
      await recordActivity(trx, { type: 'project.created', agent_id: ctx.agent.id, project_id: row.id })
      return { project: presentProposedProject(row) }
    }),
  )
