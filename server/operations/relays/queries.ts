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

/** What the relays of the last 24 hours have cost or may cost, in wei. Until the transaction ends nobody else reads it. */
export async function lockGasBudget(trx: Database): Promise<bigint> {
  await sql`select pg_advisory_xact_lock(hashtext('relays: gas reserved'))`.execute(trx)
  const { rows } = await sql<{ wei: string }>`select coalesce(sum(gas_reserved_wei), 0) as wei from relays
    where created_at > now() - interval '24 hours'`.execute(trx)
  return BigInt(rows[0]?.wei ?? 0)
}

/** Relays of a kind with what a response needs. */
export function relaysOf(db: Database, kind: 'withdrawal' | 'permit') {
  return db
    .selectFrom('relays')
    .innerJoin('projects', 'projects.id', 'relays.project_id')
    .leftJoin('transactions', 'transactions.id', 'relays.transaction_id')
    .where('relays.kind', '=', kind)
    .selectAll('relays')
    .select(['projects.token_symbol', 'transactions.status as transaction_status'])
}

/** A relay as {@link relaysOf} returns it. */
export type RelayRow = NonNullable<Awaited<ReturnType<typeof findRelay>>>

/** A relay with its id; with `agentId` only if it is that agent's. */
export function findRelay(db: Database, kind: 'withdrawal' | 'permit', id: string, agentId?: string) {
  const query = relaysOf(db, kind).where('relays.id', '=', id)
  return (agentId === undefined ? query : query.where('relays.agent_id', '=', agentId)).executeTakeFirst()
}
