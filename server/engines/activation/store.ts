import { sql } from 'kysely'
import type { Address } from 'viem'
import { chainAddress } from '../../chain/address.ts'
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
import type { ErrorCode } from '../../errors.ts'

/** An activation with the project it is for. */
export interface Activation {
  projectId: string
  name: string
  description: string
  tokenSymbol: string
  /** Whole tokens. */
  tokenSupply: number
  status: 'running' | 'failed' | 'done' | 'needs_operator'
  founderWallet: Address
  repoUrl: string | null
  /** The addresses its contracts have or will have, and the operator key that fixes them. */
  predicted: { deployer: Address; token: Address; curve: Address } | null
  transactionId: number | null
  errorCode: ErrorCode | null
  error: string | null
  fence: number
}

/** What a project has once it is active. */
export interface ActivationResult {
  founderWallet: Address
  token: Address
  curve: Address
}

/** The activations of these projects, as far as there are any. */
export async function findActivations(db: Database, projectIds: string[]): Promise<Activation[]> {
  const rows = await db
    .selectFrom('activations')
    .innerJoin('projects', 'projects.id', 'activations.project_id')
    .selectAll('activations')
    .select(['projects.name', 'projects.description', 'projects.token_symbol', 'projects.token_supply'])
    .where('activations.project_id', 'in', projectIds)
    .execute()
  return rows.map((row) => ({
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    tokenSymbol: row.token_symbol,
    tokenSupply: row.token_supply,
    status: row.status as Activation['status'],
    founderWallet: chainAddress(row.founder_wallet),
    repoUrl: row.repo_url,
    predicted:
      row.deployer && row.token_address && row.curve_address
        ? {
            deployer: row.deployer as Address,
            token: row.token_address as Address,
            curve: row.curve_address as Address,
          }
        : null,
    transactionId: row.transaction_id,
    errorCode: row.error_code as ErrorCode | null,
    error: row.error,
    fence: row.fence,
  }))
}

/** The activation of one project. @throws when there is none. */
export async function getActivation(db: Database, projectId: string): Promise<Activation> {
  const [activation] = await findActivations(db, [projectId])
  if (!activation) throw new Error(`project ${projectId} has no activation`)
  return activation
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
  await trx
    .insertInto('activations')
    .values({ project_id: activation.projectId, founder_wallet: activation.founderWallet })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet((set) => ({
        status: 'running',
        round: sql`activations.round + 1`,
        started_at: sql`clock_timestamp()`,
        founder_wallet: set
          .case()
          .when(set.exists(signed))
          .then(set.ref('activations.founder_wallet'))
          .else(activation.founderWallet)
          .end(),
        transaction_id: null,
        error_code: null,
        error: null,
        updated_at: sql`clock_timestamp()`,
      })),
    )
    .execute()
}

/** Leases up to `limit` activations that have work to do and that no live process holds. */
export async function leaseActivations(
  db: Database,
  { owner, seconds, limit }: { owner: string; seconds: number; limit: number },
): Promise<Activation[]> {
  const next = db
    .selectFrom('activations')
    .select('project_id')
    .where('status', '=', 'running')
    .where('transaction_id', 'is', null)
    .where(leaseExpired('lease_until'))
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
      .where('id', '=', activation.projectId)
      .forNoKeyUpdate()
      .execute()
    const held = await trx
      .selectFrom('activations')
      .select('project_id')
      .where('project_id', '=', activation.projectId)
      .where('fence', '=', activation.fence)
      .where('status', '=', 'running')
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!held) throw new LeaseLostError(`another process works on the activation of ${activation.projectId}`)
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
  await trx
    .updateTable('activations')
    .set({ ...progress, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', projectId)
    .execute()
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

function held({ projectId, fence }: Activation) {
  return sql`project_id = ${projectId} and fence = ${fence}`
}
