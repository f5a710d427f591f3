import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import { noLease } from '../../db/lease.ts'
import type { ErrorCode } from '../../errors.ts'
import { recordActivity } from '../../events/record.ts'
import { hasLiveTransaction } from '../transactions/live.ts'
import type { Problem } from '../transactions/types.ts'
import type { ActivationResult } from './store.ts'

const touched = { updated_at: sql<Date>`clock_timestamp()` }

/** Makes a project active that has its repository and contracts. Finishing again changes nothing. */
export async function finishActivation(
  trx: Database,
  projectId: string,
  result: ActivationResult,
): Promise<undefined> {
  const project = await lockActivation(trx, projectId)
  const addresses = { token_address: result.token, curve_address: result.curve }
  if (project.activation_status === 'failed') await reopen(trx, projectId)
  await trx
    .updateTable('activations')
    .set({ status: 'done', ...addresses, founder_wallet: result.founderWallet, error: null, ...touched })
    .where('project_id', '=', projectId)
    .where('status', '<>', 'done')
    .execute()
  if (project.status === 'active') return undefined
  await trx
    .updateTable('projects')
    .set({
      status: 'active',
      founder_wallet: result.founderWallet,
      repo_url: project.repo_url,
      repository_id: project.repository_id,
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
  if (project.activation_status === 'needs_operator') await reopen(trx, projectId)
  await trx
    .updateTable('activations')
    .set({
      status: 'failed',
      error_code: failure.code,
      error: failure.message,
      gas_reserved_wei: '0',
      lease_until: noLease,
      ...touched,
    })
    .where('project_id', '=', projectId)
    .execute()
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
  const marked = await trx
    .updateTable('activations')
    .set({ status: 'needs_operator', error: problem, ...touched })
    .where('project_id', '=', projectId)
    .where('status', 'in', ['running', 'done'])
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n ? problem : undefined
}

/** Takes up an activation again that has no transaction any more; it keeps its repository. */
export async function resumeActivation(trx: Database, projectId: string): Promise<void> {
  await trx
    .updateTable('activations')
    .set({ status: 'running', transaction_id: null, error: null, lease_until: noLease, ...touched })
    .where('project_id', '=', projectId)
    .where('status', 'in', ['running', 'needs_operator'])
    .execute()
}

/** Makes an ended activation `running`, since the database allows the next states only from there. */
async function reopen(trx: Database, projectId: string): Promise<void> {
  await trx
    .updateTable('activations')
    .set({ status: 'running', error_code: null, error: null })
    .where('project_id', '=', projectId)
    .execute()
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
