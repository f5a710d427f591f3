import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { ErrorCode } from '../../errors.ts'
import { recordActivity } from '../../events/record.ts'
import { moveOrder, moveOrderIf } from '../orders/move.ts'
import { hasLiveTransaction } from '../transactions/live.ts'
import type { Problem } from '../transactions/types.ts'
import type { ActivationResult } from './store.ts'

/** Makes a project active that has its repository and contracts. Finishing again changes nothing. */
export async function finishActivation(
  trx: Database,
  projectId: string,
  result: ActivationResult,
): Promise<undefined> {
  const project = await lockActivation(trx, projectId)
  const addresses = { token_address: result.token, curve_address: result.curve }
  if (project.activation_status !== 'done') {
    const made = { ...addresses, founder_wallet: result.founderWallet }
    await moveOrder(trx, 'activation', 'settle', projectId, made)
  }
  if (project.status === 'active') return undefined
  await trx
    .updateTable('projects')
    .set({
      status: 'active',
      founder_wallet: result.founderWallet,
      repo_url: project.repo_url,
      repository_id: project.repository_id,
      repository_missing: sql`'{}'`,
      repository_look_at: sql`case when wanted_repository is not null then now() end`,
      ...addresses,
    })
    .where('id', '=', projectId)
    .execute()
  await recordActivity(trx, {
    type: 'project.activated',
    agent_id: project.founder_id,
    project_id: projectId,
    data: { repo_url: project.repo_url, ...addresses },
  })
}

/**
 * Fails the activation and frees its gas; the project, which is still `proposed`, can be activated again. Does nothing while a
 * deploy is alive. If the project had been reported active, an operator has to decide: returns why.
 */
export async function failActivation(
  trx: Database,
  projectId: string,
  failure: { code: ErrorCode; message: string },
): Promise<Problem | undefined> {
  const project = await lockActivation(trx, projectId)
  if (project.activation_status === 'failed' || (await hasLiveTransaction(trx, 'deploy', projectId)))
    return undefined
  if (project.status === 'active') return markActivationStuck(trx, projectId, contractsTakenBack)
  const error = { error_code: failure.code, error: failure.message }
  await moveOrder(trx, 'activation', 'fail', projectId, error)
  return undefined
}

const contractsTakenBack =
  'it was reported active, and then the chain took its contracts back and refused to make them again'

/** The activation waits for an operator. Returns the problem if it was not waiting before. */
export async function markActivationStuck(
  trx: Database,
  projectId: string,
  problem: Problem,
): Promise<Problem | undefined> {
  const isMoved = await moveOrderIf(trx, 'activation', 'callOperator', projectId, { error: problem })
  return isMoved ? problem : undefined
}

/** Takes up an activation again that has no transaction any more; it keeps its repository. False if it has ended. */
export function resumeActivation(trx: Database, projectId: string): Promise<boolean> {
  return moveOrderIf(trx, 'activation', 'resume', projectId)
}

/** Locks project and activation, in the order every step locks them. */
async function lockActivation(trx: Database, projectId: string) {
  const project = await trx
    .selectFrom('projects')
    .select(['status', 'founder_id'])
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const activation = await trx
    .selectFrom('activations')
    .select(['status as activation_status', 'repo_url', 'repository_id'])
    .where('project_id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { ...project, ...activation }
}
