import { sql } from 'kysely'
import type { Hash } from 'viem'
import type { Database } from '../../db/client.ts'

/** Signed bytes, as an operator sees them. */
export interface AttemptView {
  hash: Hash
  /** Wei per gas. */
  maxFeePerGas: string
  sends: number
  /** Seconds since it was last offered to a node; null if it never was. */
  sentSecondsAgo: number | null
  /** The node's error, if it refused them. */
  lastError: string | null
}

/** A transaction of a case. */
export interface TransactionView {
  id: number
  status: string
  /** Address of the operator key; null until one has taken it. */
  lane: string | null
  nonce: number | null
  block: number | null
  minedHash: Hash | null
  /** Why it waits, or what went wrong. */
  error: string | null
  /** Seconds until the lane's lease ends; negative while no process serves the lane. */
  laneLeaseSeconds: number | null
  attempts: AttemptView[]
}

/** A payout, an activation, a relay (withdrawal, change of an allowance, deposit of dollars) or a refund, with all its transactions. */
export interface Case {
  kind: 'payout' | 'activation' | 'withdrawal' | 'allowance' | 'deposit' | 'refund'
  /** Id of the submission, the project or the relay; of a refund that of the bounty. */
  entityId: string
  status: string
  /** Status of the submission or the project; null of the others. */
  entityStatus: string | null
  /** Seconds since it was first asked for. */
  ageSeconds: number
  /** How often it was asked for. */
  round: number
  error: string | null
  /** The chain of its transactions; null while there is none. */
  chainId: number | null
  /** Oldest first. */
  transactions: TransactionView[]
}

/** Every case that is not finished, the oldest first: running, waiting for an operator, or taken back by the chain. */
export function listUnresolved(db: Database): Promise<Case[]> {
  return loadCases(
    db,
    sql`"entityId" = any(array(
      select submission_id from payouts where status in ('running', 'needs_operator')
      union select project_id from activations where status in ('running', 'needs_operator')
      union select id from relays where status = 'running'
      union select bounty_id from deposits where status = 'refunding'
      union select entity_id from transactions where status = 'queued'
      union select entity_id from transactions where nonce is not null and not is_final
        and status in ('unconfirmed', 'mined', 'needs_operator')))`,
  )
}

/** One case in any state, by its entity id. */
export async function findCase(db: Database, entityId: string): Promise<Case | undefined> {
  const [found] = await loadCases(db, sql`"entityId" = ${entityId}`)
  return found
}

async function loadCases(db: Database, which: ReturnType<typeof sql>): Promise<Case[]> {
  const { rows } = await sql<Omit<Case, 'transactions'>>`
    select * from (
      select 'payout' as kind, p.submission_id as "entityId", p.status, s.status as "entityStatus", p.round, p.error,
        p.chain_id as "chainId", extract(epoch from clock_timestamp() - p.created_at)::float8 as "ageSeconds"
      from payouts p join submissions s on s.id = p.submission_id
      union all
      select 'activation', a.project_id, a.status, j.status, a.round, a.error,
        (select t.chain_id from transactions t where t.entity_id = a.project_id order by t.id desc limit 1),
        extract(epoch from clock_timestamp() - a.created_at)::float8
      from activations a join projects j on j.id = a.project_id
      union all
      select case kind when 'permit' then 'allowance' else kind end, id, status, null, 1, error, chain_id,
        extract(epoch from clock_timestamp() - created_at)::float8
      from relays
      union all
      select 'refund', d.bounty_id, d.status, null, 1, d.error, d.chain_id, extract(epoch from clock_timestamp() - t.created_at)::float8
      from deposits d join transactions t on t.id = d.transaction_id) cases
    where ${which} order by "ageSeconds" desc`.execute(db)
  const transactions = await loadTransactions(
    db,
    rows.map((row) => row.entityId),
  )
  return rows.map((row) => ({
    ...row,
    transactions: transactions.filter(({ entityId }) => entityId === row.entityId),
  }))
}

async function loadTransactions(
  db: Database,
  entityIds: string[],
): Promise<(TransactionView & { entityId: string })[]> {
  if (entityIds.length === 0) return []
  const { rows } = await sql<TransactionView & { entityId: string }>`
    select t.id, t.entity_id as "entityId", t.status, t.from_address as lane, t.nonce, t.block_number as block,
      t.mined_hash as "minedHash", t.error,
      case when isfinite(l.lease_until)
        then extract(epoch from l.lease_until - clock_timestamp())::float8 end as "laneLeaseSeconds",
      coalesce((select jsonb_agg(jsonb_build_object('hash', a.hash, 'maxFeePerGas', a.max_fee_per_gas::text,
          'sends', a.sends, 'lastError', a.last_error,
          'sentSecondsAgo', extract(epoch from clock_timestamp() - a.sent_at)) order by a.max_fee_per_gas)
        from transaction_attempts a where a.transaction_id = t.id), '[]') as attempts
    from transactions t left join lanes l on l.chain_id = t.chain_id and l.address = t.from_address
    where t.entity_id = any(${entityIds}) order by t.id`.execute(db)
  return rows
}
