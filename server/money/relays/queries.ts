import { sql } from 'kysely'
import type { Database } from '../../db/client.ts'
import type { RelayTerms } from './store.ts'

/** Locks the agent's managed wallet, so that its relays are stored one after the other. */
export async function lockManagedWallet(trx: Database, agentId: string): Promise<void> {
  await trx
    .selectFrom('managed_wallets')
    .where('agent_id', '=', agentId)
    .select('agent_id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * The id of a relay that runs, or was stored after `since`; undefined if there is none. A permit that the chain has taken back
 * does not count: the next one has its nonce, so the chain lets only one of them through.
 */
export async function findRunning(
  db: Database,
  { kind, chainId, wallet, token }: Pick<RelayTerms, 'kind' | 'chainId' | 'wallet' | 'token'>,
  since: Date,
): Promise<string | undefined> {
  let query = db
    .selectFrom('relays')
    .where('kind', '=', kind)
    .where('chain_id', '=', chainId)
    .where('wallet', '=', wallet)
    .where('token', '=', token)
    .where((where) => where.or([where('status', '=', 'running'), where('created_at', '>', since)]))
  if (kind === 'permit') query = query.where('confirmed_at', 'is', null)
  return (await query.select('id').executeTakeFirst())?.id
}

/** The present time by the database's clock. */
export async function databaseTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now as Date
}

/** Relays of a kind with what a response needs. */
export function relaysOf(db: Database, kind: RelayTerms['kind']) {
  return db
    .selectFrom('relays')
    .leftJoin('projects', 'projects.id', 'relays.project_id')
    .leftJoin('transactions', 'transactions.id', 'relays.transaction_id')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('transaction_attempts')
          .whereRef('transaction_attempts.transaction_id', '=', 'relays.transaction_id')
          .where('sent_at', 'is not', null)
          .orderBy('sent_at', 'desc')
          .select(['hash', 'sent_at'])
          .limit(1)
          .as('sent'),
      (join) => join.onTrue(),
    )
    .where('relays.kind', '=', kind)
    .selectAll('relays')
    .select([
      'projects.token_symbol',
      'transactions.status as transaction_status',
      'sent.hash as sent_hash',
      'sent.sent_at',
    ])
}

/** A relay as {@link relaysOf} returns it. */
export type RelayRow = NonNullable<Awaited<ReturnType<typeof findRelay>>>

/** A relay with its id; with `agentId` only if it is that agent's. */
export function findRelay(db: Database, kind: RelayTerms['kind'], id: string, agentId?: string) {
  const query = relaysOf(db, kind).where('relays.id', '=', id)
  return (agentId === undefined ? query : query.where('relays.agent_id', '=', agentId)).executeTakeFirst()
}
