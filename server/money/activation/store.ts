import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../db/client.ts'
import {
  acquireLease,
  inSeconds,
  LeaseLostError,
  leaseExpired,
  leases,
  nextFence,
  releaseLease,
  renewLease,
} from '../../db/lease.ts'
import { inTransaction } from '../../db/transaction.ts'
import { beginOrder, noteOnOrder } from '../orders/move.ts'

/** An activation with the project it is for. */
export type Activation = Awaited<ReturnType<typeof findActivations>>[number]

/** The addresses that a project's contracts have or will have, and the operator key that fixes them. */
export interface Predicted {
  deployer: Address
  token: Address
  curve: Address
}

/** What a project has once it is active. */
export interface ActivationResult {
  founderWallet: Address
  token: Address
  curve: Address
}

/** The activations of these projects, as far as there are any. */
export function findActivations(db: Database, projectIds: string[]) {
  return db
    .selectFrom('activations')
    .innerJoin('projects', 'projects.id', 'activations.project_id')
    .where('activations.project_id', 'in', projectIds)
    .select(['project_id', 'activations.founder_wallet', 'activations.repo_url', 'fence'])
    .select(['projects.name', 'projects.description', 'projects.token_symbol', 'projects.token_supply'])
    .select(['projects.wanted_repository'])
    .select(
      sql<Predicted | null>`case when deployer is not null then jsonb_build_object('deployer', deployer,
        'token', activations.token_address, 'curve', activations.curve_address) end`.as('predicted'),
    )
    .execute()
}

/** The addresses of one project; null until they are known. @throws when it has no activation. */
export async function getPredicted(db: Database, projectId: string): Promise<Predicted | null> {
  const [activation] = await findActivations(db, [projectId])
  if (!activation) throw new Error(`project ${projectId} has no activation`)
  return activation.predicted
}

/**
 * Stores a new activation, or starts a failed one again. The founder's wallet is taken anew unless a deploy was signed:
 * whatever is mined then carries the wallet of that time.
 */
export async function startActivation(
  trx: Database,
  activation: { projectId: string; founderWallet: string },
): Promise<void> {
  const signed = trx
    .selectFrom('transactions')
    .select('id')
    .where('purpose', '=', 'deploy')
    .where('entity_id', '=', activation.projectId)
    .where('nonce', 'is not', null)
  const { projectId, founderWallet } = activation
  await beginOrder(
    trx,
    'activation',
    { project_id: projectId, founder_wallet: founderWallet },
    {
      founder_wallet: sql<string>`case when exists (${signed}) then activations.founder_wallet
        else ${founderWallet} end`,
    },
  )
}

const needsWork = sql<boolean>`(status = 'running' and transaction_id is null and ${leaseExpired('lease_until')})`

/** Whether an activation has work to do, and no live process holds it. */
export const hasDue = () => sql`exists (select from activations where ${needsWork})`

/** Leases up to `limit` activations that have work to do and that no live process holds. */
export async function leaseActivations(
  db: Database,
  { owner, seconds, limit }: { owner: string; seconds: number; limit: number },
): Promise<Activation[]> {
  const next = db
    .selectFrom('activations')
    .select('project_id')
    .where(needsWork)
    .orderBy('lease_until')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
  const { rows } = await acquireLease<{ project_id: string }>(leases.activations, {
    rows: sql`project_id = any(array(${next}))`,
    holder: owner,
    seconds,
    set: sql`fence = ${nextFence}`,
    returning: sql`project_id`,
  }).execute(db)
  const ids = rows.map((row) => row.project_id)
  return ids.length > 0 ? findActivations(db, ids) : []
}

/** Runs `work` in one transaction that only the holder of the lease can commit. @throws LeaseLostError */
export function underActivationLease<Output>(
  db: Database,
  activation: Activation,
  work: (trx: Database) => Promise<Output>,
): Promise<Output> {
  return inTransaction(db, async (trx) => {
    await trx
      .selectFrom('projects')
      .select('id')
      .where('id', '=', activation.project_id)
      .forNoKeyUpdate()
      .execute()
    const held = await trx
      .selectFrom('activations')
      .select('project_id')
      .where('project_id', '=', activation.project_id)
      .where('fence', '=', activation.fence)
      .where('status', '=', 'running')
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!held) throw new LeaseLostError(`another process works on the activation of ${activation.project_id}`)
    return work(trx)
  })
}

/** Stores what a step has found out. */
export async function recordProgress(
  trx: Database,
  projectId: string,
  progress: {
    repo_url?: string
    repository_id?: number
    deployer?: string
    token_address?: string
    curve_address?: string
    transaction_id?: number
    gas_reserved_wei?: string
  },
): Promise<void> {
  await noteOnOrder(trx, 'activation', projectId, progress)
}

/** Renews the lease for another `seconds`; nothing happens when it is lost. */
export function renewActivation(db: Database, activation: Activation, seconds: number): Promise<boolean> {
  return renewLease(db, leases.activations, held(activation), seconds)
}

/** Ends the lease. Nobody, its old holder included, takes the activation up again before `afterSeconds`. */
export async function releaseActivation(
  db: Database,
  activation: Activation,
  afterSeconds: number,
): Promise<void> {
  await releaseLease(db, leases.activations, held(activation), inSeconds(afterSeconds))
}

function held({ project_id, fence }: Activation) {
  return sql`project_id = ${project_id} and fence = ${fence}`
}
