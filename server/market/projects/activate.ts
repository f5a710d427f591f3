import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { id } from '../../api/fields.ts'
import { activationsPerDay } from '../../api/limits.ts'
import { requireOwnProject, requireProject } from '../../api/require-project.ts'
import type { Caller } from '../../auth/api-keys.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { ServiceError } from '../../errors.ts'
import { chainErrors } from '../../lifecycle/declared-errors.ts'
import { emitStep } from '../../loops/crash-steps.ts'
import type { ActivationOutcome } from '../../money/activation/engine.ts'
import { startActivation } from '../../money/activation/store.ts'
import { countToday } from '../../money/gas-budget.ts'
import { agentProcedure } from '../../trpc.ts'
import { spendQuota } from '../on-code-host.ts'
import { lockActivationsOf, lockProject } from './queries.ts'
import { activation, presentActiveProject } from './schema.ts'

export const activate = agentProcedure({
  method: 'POST',
  path: '/api/projects/{id}/activate',
  summary: 'Activate a project',
  description:
    'Founder only. Creates the repository under the platform organization, or takes the one that the founder brings, and deploys token and ' +
    'bonding curve. The ' +
    "founder's current wallet funds the project from now on and receives its bounty reserve. Waits for the outcome. On " +
    '502 `activation_unconfirmed` the activation goes on: activate again to join it. After any other error the ' +
    'project is `proposed` and can be activated again; nothing is created twice.',
  errors: [
    'project_not_found',
    'not_founder',
    'project_already_active',
    'activation_in_progress',
    'wallet_missing',
    'activation_limit_reached',
    'repository_not_ready',
    'repository_taken',
    'own_repositories_unavailable',
    'repository_failed',
    'repository_unauthorized',
    'repository_blocked',
    'deployment_failed',
    'activation_unconfirmed',
    'idempotency_in_progress',
    ...chainErrors,
    'activations_unavailable',
    'repositories_not_configured',
  ],
  bulkhead: 'activations',
  clientTimeoutSeconds: 100,
})
  .input(z.strictObject({ id: id('project') }))
  .output(z.object({ project: activation.describe('The project, which is active now.') }))
  .mutation(async ({ ctx, input }) => {
    const { activations, config, db } = ctx.services
    const project = await requireOwnProject(db, input.id, ctx.agent.id)

    // A repeated request whose first response was lost gets that response, not "already active".
    const repeated = ctx.idempotent?.resume?.project_id === project.id
    if (repeated && project.status === 'active') return { project: presentActiveProject(project) }

    const attachedRequest = randomUUID()
    try {
      await begin(ctx, project.id, attachedRequest)
    } catch (error) {
      // The commit may have happened although its confirmation was lost. Then nobody waits for the activation.
      await activations.leave(project.id, attachedRequest).catch(() => undefined)
      throw error
    }
    emitStep('intent stored', project.id)
    ctx.log.info({ entityId: project.id }, 'activation stored or joined')
    const outcome = await activations.wait(project.id, {
      attachedRequest,
      timeoutMs: config.ACTIVATE_WAIT_SECONDS * 1000,
      signal: ctx.signal,
    })
    ctx.log.info({ entityId: project.id, state: outcome.state }, 'activation request ends with this outcome')
    requireDone(outcome)
    emitStep('answer ready', project.id)
    return { project: presentActiveProject(await requireProject(db, project.id)) }
  })

/** Stores the intent, or joins the activation that is running. */
function begin(ctx: Context & { agent: Caller }, projectId: string, attachedRequest: string): Promise<void> {
  const founderWallet = ctx.agent.wallet_address
  const { activations, chain, db, repositories } = ctx.services
  return inTransaction(db, async (trx) => {
    const status = await lockProject(trx, projectId)
    if (status === 'active') throw new ServiceError('project_already_active')
    const outcome = await activations.outcome(trx, projectId)
    if (outcome?.state === 'running' || outcome?.state === 'stuck') {
      if (!(await activations.join(trx, projectId, attachedRequest)))
        throw new ServiceError('activation_in_progress')
    } else {
      if (founderWallet === null) throw new ServiceError('wallet_missing')
      chain.require()
      if (!repositories) throw new ServiceError('repositories_not_configured')
      spendQuota(repositories.quota, ctx.agent.id)
      await requireOneLeft(ctx, trx)
      await startActivation(trx, { projectId, founderWallet })
      await activations.attach(trx, projectId, attachedRequest)
    }
    await ctx.idempotent?.storeResume(trx, { project_id: projectId })
  })
}

async function requireOneLeft(
  { agent, services }: Context & { agent: Caller },
  trx: Database,
): Promise<void> {
  const most = activationsPerDay(services.config)
  if (most === null) return
  await lockActivationsOf(trx, agent.id)
  const { count, freeInSeconds } = await countToday(trx, 'activations', agent.id, most)
  if (count >= most)
    throw new ServiceError(
      'activation_limit_reached',
      `The caller has made its ${most} activations within 24 hours. Wait for \`Retry-After\` seconds.`,
      { retryAfter: freeInSeconds },
    )
}

function requireDone(outcome: ActivationOutcome): void {
  if (outcome.state === 'failed') throw new ServiceError(outcome.code, outcome.message)
  if (outcome.state === 'stuck')
    throw new ServiceError(
      'activation_unconfirmed',
      'The activation is not finished, and the operator has been notified. Activate again later to join it.',
    )
  if (outcome.state === 'running') throw new ServiceError('activation_unconfirmed')
}
