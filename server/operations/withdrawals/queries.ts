import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'

/** What a relay needs to know about its project. */
export interface RelayProject {
  id: string
  founder_id: string
  founder_wallet: string | null
  token_symbol: string
  token_address: string | null
  curve_address: string | null
  created_at: Date
}

/** A project with its contracts. */
export function findRelayProject(db: Database, projectId: string): Promise<RelayProject | undefined> {
  return db
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select([
      'id',
      'founder_id',
      'founder_wallet',
      'token_symbol',
      'token_address',
      'curve_address',
      'created_at',
    ])
    .executeTakeFirst()
}

/** Locks the agent's managed wallet, so that its relays are stored one after the other. */
export async function lockManagedWallet(trx: Database, agentId: string): Promise<void> {
  await trx
    .selectFrom('managed_wallets')
    .where('agent_id', '=', agentId)
    .select('agent_id')
    .forNoKeyUpdate()
    .execute()
}

/** How many of the `most` relays that an agent may have in 24 hours it has, and when the next one is free, in seconds. */
export async function countToday(
  trx: Database,
  agentId: string,
  most: number,
): Promise<{ count: number; freeInSeconds: number }> {
  const { rows } = await sql<{ count: number; freeInSeconds: number }>`
    select count(*)::int as count, coalesce(extract(epoch from min(created_at) - now())::float8, 0) + 86400 as "freeInSeconds"
    from (select created_at from relays where agent_id = ${agentId} and created_at > now() - interval '24 hours'
      order by created_at desc, id desc limit ${most}) today`.execute(trx)
  return rows[0] as { count: number; freeInSeconds: number }
}

/** The present time by the database's clock, in seconds since 1970. */
export async function databaseTime(db: Database): Promise<number> {
  const { rows } = await sql<{
    now: number
  }>`select floor(extract(epoch from clock_timestamp()))::float8 as now`.execute(db)
  return rows[0]?.now as number
}

/** The gas that all relays of the last 24 hours may cost, in wei. Until the transaction ends nobody else reads it. */
export async function lockGasReserved(trx: Database): Promise<bigint> {
  await sql`select pg_advisory_xact_lock(hashtext('relays: gas reserved'))`.execute(trx)
  const { rows } = await sql<{ wei: string }>`select coalesce(sum(gas_reserved_wei), 0) as wei from relays
    where created_at > now() - interval '24 hours'`.execute(trx)
  return BigInt(rows[0]?.wei ?? 0)
}

/** Withdrawals of a token that are under way: their nonces, and the time by the database's clock. */
export async function listPending(
  db: Database,
  of: { agentId: string; token: string },
): Promise<{ nonces: string[]; readAt: Date }> {
  const { rows } = await sql<{ nonces: string[]; readAt: Date }>`
    select coalesce(jsonb_agg(nonce), '[]') as nonces, clock_timestamp() as "readAt" from relays
    where agent_id = ${of.agentId} and token = ${of.token} and kind = 'withdrawal' and status = 'running'`.execute(
    db,
  )
  return rows[0] as { nonces: string[]; readAt: Date }
}

/**
 * Base units of withdrawals of a token that a balance read from the chain still contains: those that run or were settled
 * since `since`, except those whose nonces the chain had used.
 */
export async function sumPending(
  db: Database,
  of: { agentId: string; token: string; since: Date; used: string[] },
): Promise<bigint> {
  const { rows } = await sql<{ amount: string }>`select coalesce(sum(amount), 0) as amount from relays
    where agent_id = ${of.agentId} and token = ${of.token} and kind = 'withdrawal'
      and (status = 'running' or updated_at >= ${of.since}) and nonce <> all(${of.used})`.execute(db)
  return BigInt(rows[0]?.amount ?? 0)
}

/** Relays with what a response needs. */
function relays(db: Database, kind: 'withdrawal' | 'permit') {
  return db
    .selectFrom('relays')
    .innerJoin('projects', 'projects.id', 'relays.project_id')
    .leftJoin('transactions', 'transactions.id', 'relays.transaction_id')
    .where('relays.kind', '=', kind)
    .selectAll('relays')
    .select(['projects.token_symbol', 'transactions.status as transaction_status'])
}

/** A relay as {@link findWithdrawal} and {@link findAllowance} return it. */
export type RelayRow = NonNullable<Awaited<ReturnType<typeof findWithdrawal>>>

/** A withdrawal of an agent. */
export function findWithdrawal(db: Database, agentId: string, id: string) {
  return relays(db, 'withdrawal')
    .where('relays.agent_id', '=', agentId)
    .where('relays.id', '=', id)
    .executeTakeFirst()
}

/** The withdrawal of an agent whose authorization has this nonce. */
export function findByNonce(db: Database, of: { chainId: number; wallet: string; nonce: string }) {
  return relays(db, 'withdrawal')
    .where('relays.chain_id', '=', of.chainId)
    .where('wallet', '=', of.wallet)
    .where('relays.nonce', '=', of.nonce)
    .executeTakeFirst()
}

/** An agent's withdrawals, newest first; with `before` those that are older than that one. */
export function listWithdrawals(
  db: Database,
  of: { agentId: string; limit: number; before?: string | undefined },
) {
  let query = relays(db, 'withdrawal').where('relays.agent_id', '=', of.agentId)
  if (of.before !== undefined)
    query = query.where(
      sql<boolean>`(relays.created_at, relays.id) < (select created_at, id from relays where id = ${of.before})`,
    )
  return query.orderBy('relays.created_at', 'desc').orderBy('relays.id', 'desc').limit(of.limit).execute()
}

/** The latest change of a project's allowance; with `running` only one that is not finished. */
export function findAllowance(db: Database, projectId: string, { running = false } = {}) {
  let query = relays(db, 'permit').where('relays.project_id', '=', projectId)
  if (running) query = query.where('relays.status', '=', 'running')
  return query.orderBy('relays.created_at', 'desc').orderBy('relays.id', 'desc').limit(1).executeTakeFirst()
}
