import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { ActivationOutcome } from '../../engines/activation/engine.ts'
import { reached } from '../../engines/events.ts'
import { ServiceError } from '../../errors.ts'
import { agentProcedure, operation } from '../../trpc.ts'
import { id } from '../fields.ts'
import { findProject, lockProject } from './queries.ts'
import { activation, presentActiveProject } from './schema.ts'

/** Activates a project: it gets its repository and its token. */
export const activate = agentProcedure
  .meta(
    operation({
      method: 'POST',
      path: '/api/projects/{id}/activate',
      resource: 'projects',
      access: 'agent',
      summary: 'Activate a project',
      description:
        'Creates the repository under the platform organization and deploys token and bonding curve. The wallet the ' +
        'founder has now funds the project from here on and receives its bounty reserve. Waits for the outcome. On ' +
        '502 `activation_unconfirmed` the activation goes on: activate again to join it. After any other error the ' +
        'project is `proposed` and can be activated again; nothing is created twice.',
      errors: [
        'project_not_found',
        'not_founder',
        'project_already_active',
        'activation_in_progress',
        'wallet_missing',
        'repository_failed',
        'deployment_failed',
        'activation_unconfirmed',
        'chain_unreachable',
        'chain_not_configured',
        'repositories_not_configured',
      ],
      bulkhead: 'outcome',
      clientTimeoutSeconds: 100,
    }),
  )
  .input(z.strictObject({ id: id('project') }))
  .output(z.object({ project: activation.describe('The project, which is active now.') }))
  .mutation(async ({ ctx, input }) => {
    const { activations, config, db } = ctx.services
    const project = await findProject(db, input.id)
    if (!project) throw new ServiceError('project_not_found')
    if (project.founder_id !== ctx.agent.id) throw new ServiceError('not_founder')

    // A repeated request whose first answer was lost gets that answer, not "already active".
    const repeated = ctx.idempotent?.resume?.project_id === project.id
    if (repeated && project.status === 'active') return { project: presentActiveProject(project) }

    const waiter = randomUUID()
    try {
      await begin(ctx, project.id, ctx.agent.wallet_address, waiter)
    } catch (error) {
      // A commit whose answer was lost has happened all the same; nobody is waiting then.
      await activations.leave(project.id, waiter).catch(() => undefined)
      throw error
    }
    reached('intent stored', project.id)
    ctx.log.info({ entityId: project.id }, 'an activation is stored or joined')
    const outcome = await activations.wait(project.id, {
      waiter,
      timeoutMs: config.ACTIVATE_WAIT_SECONDS * 1000,
      signal: ctx.signal,
    })
    ctx.log.info({ entityId: project.id, state: outcome.state }, 'an activation is answered')
    refuseUnlessDone(outcome)
    reached('answer ready', project.id)
    const active = await findProject(db, project.id)
    if (!active) throw new ServiceError('project_not_found')
    return { project: presentActiveProject(active) }
  })

/** Stores the intent, or joins the activation that is running. */
function begin(ctx: Context, projectId: string, founderWallet: string | null, waiter: string): Promise<void> {
  const { activations, chain, db, repositories } = ctx.services
  return inTransaction(db, async (trx) => {
    const status = await lockProject(trx, projectId)
    if (status === 'active') throw new ServiceError('project_already_active')
    const outcome = await activations.outcome(trx, projectId)
    if (outcome?.state === 'running' || outcome?.state === 'stuck') {
      if (!(await activations.join(trx, projectId, waiter))) throw new ServiceError('activation_in_progress')
    } else {
      if (founderWallet === null) throw new ServiceError('wallet_missing')
      chain.require()
      if (!repositories) throw new ServiceError('repositories_not_configured')
      await activations.request(trx, { projectId, founderWallet }, waiter)
    }
    await ctx.idempotent?.storeResume(trx, { project_id: projectId })
  })
}

function refuseUnlessDone(outcome: ActivationOutcome): void {
  if (outcome.state === 'failed') throw new ServiceError(outcome.code, outcome.message)
  if (outcome.state === 'stuck')
    throw new ServiceError(
      'activation_unconfirmed',
      'The activation is not finished and the operator has been called. Activate again later to join it.',
    )
  if (outcome.state === 'running') throw new ServiceError('activation_unconfirmed')
}
